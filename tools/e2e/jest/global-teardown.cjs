'use strict';
// Stops the platform of the run and removes its folder.
module.exports = async () => {
  await globalThis.__journeyPlatform?.close();
};
