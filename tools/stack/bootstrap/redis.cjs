'use strict';
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { Fault, LIB, say } = require('./fault.cjs');
const { download } = require('./maven.cjs');
const { readEntry } = require('./zip.cjs');

const VERSION = '1.4.3';
const SYSTEMS = {
  'linux-x64': /redis-server-.*-linux-amd64$/,
  'linux-arm64': /redis-server-.*-linux-arm64$/,
  'darwin-x64': /redis-server-.*-darwin-amd64$/,
  'darwin-arm64': /redis-server-.*-darwin-arm64$/,
};
const GET = 'install redis-server 6.2 or newer (Debian: apt-get install redis-server), then try again.';

/** The version a redis-server binary reports, as [major, minor], or undefined when it does not run here. */
function versionOf(binary) {
  const result = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  const m = result.status === 0 ? /v=(\d+)\.(\d+)/.exec(result.stdout) : null;
  return m ? [Number(m[1]), Number(m[2])] : undefined;
}

const newEnough = (v) => v !== undefined && (v[0] > 6 || (v[0] === 6 && v[1] >= 2));

/** Takes the binary out of Maven's jar, so that no `unzip` is needed. */
function unpack(target) {
  const wanted = SYSTEMS[`${process.platform}-${process.arch}`];
  if (!wanted) throw new Fault(`There is no bundled Redis for ${process.platform}-${process.arch}: ${GET}`);
  const folder = path.join(LIB, `embedded-redis-${VERSION}`);
  const jar = path.join(folder, `embedded-redis-${VERSION}.jar`);
  if (!fs.existsSync(jar)) {
    say('downloading Redis (14 MB) …');
    download('Redis', folder, (to) => [
      'dependency:copy',
      `-Dartifact=com.github.codemonstur:embedded-redis:${VERSION}`,
      `-DoutputDirectory=${to}`,
    ]);
  }
  let binary;
  try {
    binary = readEntry(fs.readFileSync(jar), wanted);
  } catch (error) {
    fs.rmSync(folder, { recursive: true, force: true });
    throw new Fault(
      `The downloaded Redis archive cannot be read (${error.message}): it was removed, try again.`,
    );
  }
  fs.writeFileSync(`${target}.part`, binary, { mode: 0o755 });
  fs.renameSync(`${target}.part`, target);
}

/** A redis-server ≥ 6.2: the one on the PATH, else the one that Maven brings. Returns its command or path. */
function installRedis() {
  if (newEnough(versionOf('redis-server'))) return 'redis-server';
  const bundled = path.join(LIB, 'redis-server');
  if (newEnough(versionOf(bundled))) return bundled;
  unpack(bundled);
  if (!newEnough(versionOf(bundled)))
    throw new Fault(`The bundled Redis does not run on this machine: ${GET}`);
  return bundled;
}

module.exports = { installRedis };
