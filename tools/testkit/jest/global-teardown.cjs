'use strict';
// Stops the shared servers after the last test, if this run started them.
module.exports = async () => {
  await require('../dist/index.js').stopTestServers({ onlyIfOurs: true });
};
