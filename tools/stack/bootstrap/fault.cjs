'use strict';
const { spawnSync } = require('node:child_process');
const path = require('node:path');

const ROOT = path.resolve(__dirname, '../../..');
/** Downloads live here; `npm run stack:reset` leaves them alone. */
const LIB = path.join(ROOT, '.stack', 'lib');

/** What a user can put right, told in one sentence: printed without a stack trace. */
class Fault extends Error {}

/**
 * Runs a command to its end and returns `{ code, output }`. A command that is not installed is a Fault with `missing`
 * as its sentence; with `show`, its output goes straight to the terminal.
 */
function run(command, args, { missing, show = false, cwd = ROOT } = {}) {
  const result = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.error && result.error.code === 'ENOENT' && missing) throw new Fault(missing);
  if (result.error) throw new Fault(`${command} could not be run: ${result.error.message}.`);
  if (result.signal) throw new Fault(`${command} was stopped by ${result.signal}.`);
  return { code: result.status, output: `${result.stdout || ''}${result.stderr || ''}` };
}

/** One line that says what is being done, so that a long first run is no mystery. */
function say(line) {
  console.log(`bootstrap  ${line}`);
}

module.exports = { Fault, LIB, ROOT, run, say };
