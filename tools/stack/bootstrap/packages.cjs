'use strict';
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { Fault, ROOT, run, say } = require('./fault.cjs');

const LOCK = path.join(ROOT, 'package-lock.json');
const MODULES = path.join(ROOT, 'node_modules');
const STAMP = path.join(MODULES, '.commservice-lock');
/** npm's own note of what it installed; written after everything else. */
const INSTALLED = path.join(MODULES, '.package-lock.json');

const hashOf = (file) => createHash('sha256').update(fs.readFileSync(file)).digest('hex');
const mtimeMs = (file) => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function upToDate() {
  if (!fs.existsSync(INSTALLED)) return false;
  const stamp = fs.existsSync(STAMP) ? fs.readFileSync(STAMP, 'utf8') : '';
  if (stamp === hashOf(LOCK)) return true;
  // installed by hand (npm ci, npm install): npm's note is then at least as new as the lock
  return mtimeMs(INSTALLED) >= mtimeMs(LOCK);
}

/** Installs the npm packages of package-lock.json when node_modules is absent or older. */
function installPackages() {
  if (!fs.existsSync(LOCK)) throw new Fault('package-lock.json is missing: check out the repository again.');
  if (!upToDate()) {
    say('installing npm packages (npm ci), about a minute …');
    const { code } = run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      missing:
        'npm is missing: install npm 9 or newer (it comes with Node.js from https://nodejs.org), then try again.',
      show: true,
    });
    if (code !== 0) {
      throw new Fault(
        `npm ci failed with code ${code} (its reason is above): check the network or the registry setting, then try again.`,
      );
    }
  }
  checkNode();
  const hash = hashOf(LOCK);
  if (!fs.existsSync(STAMP) || fs.readFileSync(STAMP, 'utf8') !== hash) fs.writeFileSync(STAMP, hash);
}

/** The apps run on the Node of the `node` package, which its install script puts in place. */
function checkNode() {
  const node = path.join(MODULES, '.bin', 'node');
  const wanted = require(path.join(ROOT, 'package.json')).devDependencies.node.split('.')[0];
  const fault = `The npm package "node" (Node ${wanted}) is not complete: run "npm rebuild node" with install scripts allowed, then try again.`;
  if (!fs.existsSync(node)) throw new Fault(fault);
  const { code, output } = run(node, ['--version'], { missing: fault });
  if (code !== 0 || !output.startsWith(`v${wanted}.`)) throw new Fault(fault);
}

module.exports = { installPackages };
