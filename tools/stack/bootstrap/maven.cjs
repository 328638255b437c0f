'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { Fault, ROOT, run } = require('./fault.cjs');

const POM = path.join(ROOT, 'tools', 'stack', 'kafka', 'pom.xml');
const MISSING = 'Maven (mvn) is missing: install it (Debian: apt-get install maven), then try again.';

/** The first line in which Maven says what went wrong, without its colours and prefix. */
function reasonIn(output) {
  // eslint-disable-next-line no-control-regex -- the colours are control characters
  const lines = output.replace(/\u001b\[[0-9;]*m/g, '').split('\n');
  const line =
    lines.find((l) => /Could not|Failed to|Unknown|refused|timed out/i.test(l)) ||
    lines.find((l) => l.startsWith('[ERROR]'));
  return line
    ? line
        .replace(/^\[\w+\]\s*/, '')
        .trim()
        .slice(0, 300)
    : 'no reason given';
}

/** Lets Maven fill a folder; the folder appears only when it is complete. `what` names it in the fault. */
function download(what, target, goalsFor) {
  const part = `${target}.part`;
  fs.rmSync(part, { recursive: true, force: true });
  fs.mkdirSync(path.dirname(target), { recursive: true });
  const { code, output } = run('mvn', ['-q', '-B', '-f', POM, ...goalsFor(part)], { missing: MISSING });
  if (code !== 0) {
    throw new Fault(
      `The download of ${what} failed (${reasonIn(output)}): check the network or Maven's settings.xml, then try again.`,
    );
  }
  if (!fs.existsSync(part)) throw new Fault(`Maven copied no files for ${what}: try again.`);
  fs.rmSync(target, { recursive: true, force: true });
  fs.renameSync(part, target);
}

module.exports = { POM, download };
