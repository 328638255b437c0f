'use strict';
const { TestEnvironment } = require('jest-environment-node');

// Hands the platform that the run started to the test files, which live in contexts of their own.
module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.__journeyPlatform = globalThis.__journeyPlatform;
  }
};
