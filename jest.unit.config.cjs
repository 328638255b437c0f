// Unit tests: every *.spec.ts but those of tools/checks, which are a step of their own. No servers.
// One project: npm run test:unit -- --selectProjects kafka
const { readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

const { references } = JSON.parse(readFileSync(path.join(__dirname, 'tsconfig.json'), 'utf8'));

function hasUnitTests(project) {
  const files = readdirSync(path.join(__dirname, project, 'src'), { recursive: true });
  return files.some((file) => file.endsWith('.spec.ts'));
}

module.exports = {
  rootDir: __dirname,
  projects: references
    .map((reference) => reference.path)
    .filter((project) => !project.endsWith('tools/checks') && hasUnitTests(project)),
  maxWorkers: 2,
  testTimeout: 30_000, // property tests on a loaded machine
};
