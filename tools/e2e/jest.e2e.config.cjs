// The journeys: every *.e2e.ts, one after the other, on one platform that the run starts (needs the build).
module.exports = {
  ...require('../../jest.preset.cjs'),
  rootDir: __dirname,
  displayName: 'e2e',
  testMatch: ['<rootDir>/src/**/*.e2e.ts'],
  // one worker in jest's own process: the platform is handed on as an object
  maxWorkers: 1,
  testTimeout: 120_000,
  globalSetup: '<rootDir>/jest/global-setup.cjs',
  globalTeardown: '<rootDir>/jest/global-teardown.cjs',
  testEnvironment: '<rootDir>/jest/platform-environment.cjs',
  testSequencer: '<rootDir>/jest/by-name.cjs',
};
