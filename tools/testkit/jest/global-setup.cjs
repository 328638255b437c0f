'use strict';
// Starts the shared servers before the first test of a run, unless they run already (needs the build: npm test makes it).
module.exports = async () => {
  await require('../dist/index.js').ensureTestServers();
};
