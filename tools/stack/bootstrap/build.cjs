'use strict';
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { Fault, LIB, ROOT, run, say } = require('./fault.cjs');

const STAMP = path.join(LIB, 'build-stamp');

/** The build configuration (not the test one) of every project that the root tsconfig.json names. */
function buildConfigs() {
  const { references } = JSON.parse(fs.readFileSync(path.join(ROOT, 'tsconfig.json'), 'utf8'));
  return references.flatMap(({ path: project }) =>
    ['tsconfig.lib.json', 'tsconfig.app.json']
      .map((name) => path.join(ROOT, project, name))
      .filter((file) => fs.existsSync(file)),
  );
}

/** Name, size and change time of a file. The change time moves with every write and cannot be set back by tools. */
function print(hash, file) {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  hash.update(stat ? `${file} ${stat.size} ${stat.ctimeMs} ${stat.ino}\n` : `${file} absent\n`);
}

function printFolder(hash, folder, matches) {
  const entries = fs.existsSync(folder)
    ? fs.readdirSync(folder, { withFileTypes: true, recursive: true })
    : [];
  const files = entries
    .filter((e) => e.isFile() && matches(e.name))
    .map((e) => path.join(e.parentPath || e.path, e.name));
  for (const file of files.sort()) print(hash, file);
}

/** A value that differs after any edit of a source or configuration file. */
function sourcesStamp(configs) {
  const hash = createHash('sha256');
  for (const name of ['tsconfig.json', 'tsconfig.base.json', 'package-lock.json'])
    print(hash, path.join(ROOT, name));
  for (const config of configs) {
    const project = path.dirname(config);
    print(hash, config);
    print(hash, path.join(project, 'package.json'));
    printFolder(hash, path.join(project, 'src'), (name) => !/\.(spec|itest)\.ts$/.test(name));
  }
  return hash.digest('hex');
}

/** A value that differs after any change of a built file. */
function outputsStamp(configs) {
  const hash = createHash('sha256');
  for (const config of configs) {
    printFolder(hash, path.join(path.dirname(config), 'dist'), (name) => /\.(js|tsbuildinfo)$/.test(name));
  }
  return hash.digest('hex');
}

/** Builds all projects with `tsc --build`, unless nothing was touched since the last good build. */
function build() {
  const configs = buildConfigs();
  const sources = sourcesStamp(configs);
  const last = fs.existsSync(STAMP) ? fs.readFileSync(STAMP, 'utf8') : '';
  if (last === `${sources} ${outputsStamp(configs)}`) return;
  say('building (tsc --build) …');
  const node = path.join(ROOT, 'node_modules', '.bin', 'node');
  const tsc = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { code, output } = run(node, [tsc, '--build', ...configs]);
  if (code !== 0) {
    console.error(output.trimEnd());
    const faults = (output.match(/error TS\d+/g) || []).length;
    throw new Fault(
      `The build failed with ${faults} error${faults === 1 ? '' : 's'} (above): correct them, then try again.`,
    );
  }
  fs.mkdirSync(LIB, { recursive: true });
  // the sources as they were before: an edit made during the build is built next time
  fs.writeFileSync(STAMP, `${sources} ${outputsStamp(configs)}`);
}

module.exports = { build };
