import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { environmentOf, envTable, type AppEnvironment } from './env-table.js';

/**
 * The environments of everything below `folder` that has a config.ts, from the built config.js: an app has no door to
 * import it by. Throws when something is not built.
 */
function environmentsBelow(root: string, folder: 'apps' | 'tools'): AppEnvironment[] {
  const load = createRequire(path.join(root, 'package.json'));
  return readdirSync(path.join(root, folder))
    .sort()
    .filter((name) => existsSync(path.join(root, folder, name, 'src', 'config.ts')))
    .map((name) => {
      const built = path.join(root, folder, name, 'dist', 'config.js');
      if (!existsSync(built))
        throw new Error(`${folder}/${name} is not built: run "npm run bootstrap" first`);
      return environmentOf(name, load(built) as Record<string, unknown>);
    })
    .filter(({ variables }) => variables.length > 0);
}

/** The README's two tables: what the services read, and what the tools read. */
export const envTables = (root: string): Readonly<Record<'environment' | 'environment-tools', string>> => ({
  environment: envTable(environmentsBelow(root, 'apps'), root),
  'environment-tools': envTable(environmentsBelow(root, 'tools'), root),
});
