// Integration tests: every *.itest.ts, on the real servers of tools/testkit.
// One project: npx jest -c jest.itest.config.cjs --selectProjects kafka
const { readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');
const preset = require('./jest.preset.cjs');

const { references } = JSON.parse(readFileSync(path.join(__dirname, 'tsconfig.json'), 'utf8'));

function hasIntegrationTests(project) {
  const files = readdirSync(path.join(__dirname, project, 'src'), { recursive: true });
  return files.some((file) => file.endsWith('.itest.ts'));
}

const projects = references
  .map((reference) => reference.path)
  // the journeys of e2e run a whole platform each and have a runner of their own
  .filter((project) => !project.endsWith('tools/e2e') && hasIntegrationTests(project))
  .map((project) => ({
    ...preset,
    displayName: JSON.parse(readFileSync(path.join(__dirname, project, 'package.json'), 'utf8')).nx.name,
    rootDir: path.join(__dirname, project),
    testMatch: ['<rootDir>/src/**/*.itest.ts'],
  }));

module.exports = {
  rootDir: __dirname,
  projects,
  // the servers under test need a core of their own, else their deadlines tell of this machine
  maxWorkers: 1,
  // a new process for each file: after some that start and kill processes, libuv spins on a closed descriptor (34 000
  // epoll_pwait a second, nothing else) and the next file's sockets hear nothing for 20 s
  workerIdleMemoryLimit: '1MB',
  // in one process a connection attempt that a killed server never answers would keep the finished run from ending
  forceExit: true,
  testTimeout: 60_000,
  globalSetup: path.join(__dirname, 'tools/testkit/jest/global-setup.cjs'),
  globalTeardown: path.join(__dirname, 'tools/testkit/jest/global-teardown.cjs'),
};
