import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { REPO_ROOT } from '../root.js';
import { envTables } from './app-environments.js';
import { withSection } from './section.js';

/** `npm run docs:env`: writes the tables of environment variables into README.md. */
const file = path.join(REPO_ROOT, 'README.md');
const before = readFileSync(file, 'utf8');
const after = Object.entries(envTables(REPO_ROOT)).reduce(
  (text, [name, table]) => withSection(text, name, table),
  before,
);
writeFileSync(file, after);
