'use strict';
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const readline = require('node:readline');
const { plain } = require('./tally.cjs');

const KILL_AFTER_MS = 10_000;
const TAIL_LINES = 60;

/** Ends every process of a step that is still there. */
function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/**
 * Runs a command as a process group of its own, with its whole output in `log`. Lines that match `live` are shown as
 * they come. At `deadlineMs` it is stopped. Resolves with `{ code, timedOut, tail }`; `code` is never 0 when stopped.
 */
function runStep({ command, args, env, cwd, log, live, deadlineMs, onStart }) {
  const out = fs.createWriteStream(log);
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  onStart(() => signalGroup(child, 'SIGTERM'));
  const tail = [];
  const take = (raw) => {
    const line = plain(raw);
    out.write(`${line}\n`);
    tail.push(line);
    if (tail.length > TAIL_LINES) tail.shift();
    if (live?.test(line)) console.log(`    ${line}`);
  };
  for (const stream of [child.stdout, child.stderr])
    readline.createInterface({ input: stream }).on('line', take);
  let timedOut = false;
  const deadline = setTimeout(() => {
    timedOut = true;
    take(`stopped: not ready after ${deadlineMs / 1000} s`);
    signalGroup(child, 'SIGTERM');
    setTimeout(() => signalGroup(child, 'SIGKILL'), KILL_AFTER_MS).unref();
  }, deadlineMs);
  return new Promise((resolve) => {
    const end = (code) => {
      clearTimeout(deadline);
      signalGroup(child, 'SIGKILL'); // what it left running
      out.end(() => resolve({ code: timedOut ? 1 : code, timedOut, tail }));
    };
    child.once('error', (error) => {
      take(error.message);
      out.end(() => resolve({ code: 1, timedOut, tail }));
    });
    // not 'close': a process left behind may hold the pipes open
    child.once('exit', (code) => setTimeout(() => end(code ?? 1), 200));
  });
}

module.exports = { runStep };
