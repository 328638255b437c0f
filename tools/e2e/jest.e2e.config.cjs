// The journeys: every *.e2e.ts, one after the other, on one platform that the run starts (needs the build).
// `npm test` has 15 minutes for everything: what models and its neighbours cover is left to `npm run proof` and to its name.
const LONG = ['redis-oom', 'redis-empty', 'redis-slow', 'rate-changed', 'idle-lane'];

module.exports = {
  ...require('../../jest.preset.cjs'),
  rootDir: __dirname,
  displayName: 'e2e',
  testMatch: ['<rootDir>/src/**/*.e2e.ts'],
  testPathIgnorePatterns: process.env.E2E_SHORT === '1' ? LONG.map((name) => `/${name}\\.e2e\\.ts$`) : [],
  // one worker in jest's own process: the platform is handed on as an object
  maxWorkers: 1,
  testTimeout: 120_000,
  globalSetup: '<rootDir>/jest/global-setup.cjs',
  globalTeardown: '<rootDir>/jest/global-teardown.cjs',
  testEnvironment: '<rootDir>/jest/platform-environment.cjs',
  testSequencer: '<rootDir>/jest/by-name.cjs',
};
