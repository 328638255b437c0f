'use strict';
// Runs before `npm start` and `npm test` (prestart, pretest) with nothing but Node's own modules, on the system's Node.
// Installs what is missing and returns in a moment when all is there. Every fault is one sentence and exit code 1.
const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error(
    `Node.js ${process.versions.node} is too old: install Node.js 20 or newer (https://nodejs.org), then try again.`,
  );
  process.exit(1);
}

const { Fault } = require('./bootstrap/fault.cjs');
const { installPackages } = require('./bootstrap/packages.cjs');
const { findJava } = require('./bootstrap/java.cjs');
const { installKafka } = require('./bootstrap/kafka.cjs');
const { installRedis } = require('./bootstrap/redis.cjs');
const { checkPostgres } = require('./bootstrap/postgres.cjs');
const { build } = require('./bootstrap/build.cjs');
const { writeManifest } = require('./bootstrap/manifest.cjs');

/** `--no-build` leaves the TypeScript build out, for callers that build by themselves. */
function main(args) {
  installPackages();
  checkPostgres();
  const java = findJava();
  const kafkaLibs = installKafka();
  const redisServer = installRedis();
  writeManifest({ java, kafkaLibs, redisServer });
  if (!args.includes('--no-build')) build();
}

try {
  main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  console.error(`\n${error.message}\n`);
  process.exit(1);
}
