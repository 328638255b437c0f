'use strict';
const path = require('node:path');

const ROOT = path.resolve(__dirname, '../../..');
const OUT = path.join(ROOT, 'tmp', 'test');
const bin = (name) => path.join(ROOT, 'node_modules', '.bin', name);
const MINUTE_MS = 60_000;
const JEST_LIVE = /^(PASS|FAIL) /;

const check = (name, tool, args, minutes) => ({
  name,
  command: bin('node'),
  args: [bin(tool), ...args],
  deadlineMs: minutes * MINUTE_MS,
});

/** A Jest run; its results are counted one by one. */
const tests = (name, command, args, minutes, live = JEST_LIVE) => {
  const results = path.join(OUT, `${name}.json`);
  return {
    name,
    command,
    args: [...args, '--json', `--outputFile=${results}`],
    results,
    live,
    deadlineMs: minutes * MINUTE_MS,
  };
};

const script = (name, minutes) =>
  tests(name, 'npm', ['run', '--silent', `test:${name}`, '--', '--passWithNoTests'], minutes);

/** What `npm test` runs, in this order: the quick ones first. */
const STEPS = [
  check('sync', 'nx', ['sync:check'], 2),
  check('types', 'tsc', ['--build', '--pretty', 'false'], 8),
  check('lint', 'eslint', ['.', '--max-warnings', '0'], 8),
  check('format', 'prettier', ['--check', '--log-level', 'warn', '.'], 3),
  tests(
    'checks',
    bin('node'),
    [bin('jest'), '-c', path.join(ROOT, 'tools/checks/jest.config.cjs')],
    3,
    /^(FAIL|warn) /,
  ),
  script('unit', 8),
  script('integration', 12),
  script('e2e', 15),
];

const ENV = {
  ...process.env,
  PATH: `${path.dirname(bin('node'))}${path.delimiter}${process.env.PATH}`,
  NX_DAEMON: 'false',
  NX_ISOLATE_PLUGINS: 'false',
  NODE_OPTIONS: '--experimental-vm-modules',
  // the longest journeys are left to `npm run proof`
  E2E_SHORT: '1',
  NODE_NO_WARNINGS: '1',
  FORCE_COLOR: '0',
};

module.exports = { STEPS, ROOT, OUT, ENV };
