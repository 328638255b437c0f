'use strict';
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { Fault, LIB, say } = require('./fault.cjs');
const { POM, download } = require('./maven.cjs');

/** The broker's jars, copied by Maven into a folder named by the pom they came from. Returns the folder. */
function installKafka() {
  const pom = fs.readFileSync(POM, 'utf8');
  const version = /<kafka\.version>([^<]+)</.exec(pom)[1];
  const target = path.join(
    LIB,
    `kafka-${version}-${createHash('sha256').update(pom).digest('hex').slice(0, 8)}`,
  );
  const broker = path.join(target, `kafka_2.13-${version}.jar`);
  if (!fs.existsSync(broker)) {
    say(`downloading Kafka ${version} (54 MB) …`);
    download(`Kafka ${version}`, target, (folder) => [
      'dependency:copy-dependencies',
      `-DoutputDirectory=${folder}`,
      '-DincludeScope=runtime',
    ]);
    if (!fs.existsSync(broker)) throw new Fault(`The download of Kafka ${version} is incomplete: try again.`);
  }
  return target;
}

module.exports = { installKafka };
