'use strict';
// Starts the platform of the run.
module.exports = async () => {
  globalThis.__journeyPlatform = await require('../dist/index.js').startJourneyPlatform();
};
