'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { LIB } = require('./fault.cjs');

/** Tells tools/stack where the servers' programs are: `.stack/lib/manifest.json`. */
function writeManifest(manifest) {
  const file = path.join(LIB, 'manifest.json');
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text) return;
  fs.mkdirSync(LIB, { recursive: true });
  fs.writeFileSync(`${file}.part`, text);
  fs.renameSync(`${file}.part`, file);
}

module.exports = { writeManifest };
