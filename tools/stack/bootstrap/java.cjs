'use strict';
const path = require('node:path');
const { Fault, run } = require('./fault.cjs');

const GET =
  'install a Java runtime 17 or newer (Debian: apt-get install default-jre-headless) or set JAVA_HOME, then try again.';

/** The `java` command to start Kafka with: JAVA_HOME's, else the one on the PATH. At least 17. */
function findJava() {
  const home = process.env.JAVA_HOME;
  const java = home ? path.join(home, 'bin', 'java') : 'java';
  const where = home ? `JAVA_HOME (${home}) has no bin/java` : 'Java is missing';
  const { code, output } = run(java, ['-version'], { missing: `${where}: ${GET}` });
  const version = /version "(?:1\.)?(\d+)/.exec(output);
  if (code !== 0 || !version) throw new Fault(`"${java} -version" gives no answer that can be read: ${GET}`);
  if (Number(version[1]) < 17) throw new Fault(`Java ${version[1]} is too old for Kafka 4: ${GET}`);
  return java;
}

module.exports = { findJava };
