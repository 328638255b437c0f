import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { StackFault } from '../fault.js';
import { REPO_ROOT } from '../root.js';

const manifestSchema = z.object({
  /** Command that runs Java ≥ 17. */
  java: z.string(),
  /** Folder of the broker's jars. */
  kafkaLibs: z.string(),
  /** Command of redis-server ≥ 6.2. */
  redisServer: z.string(),
});

/** Where the servers' programs are, as tools/stack/bootstrap.cjs found or installed them. */
export type Programs = z.infer<typeof manifestSchema>;

/** Reads bootstrap's manifest; a StackFault when it is not there. */
export function findPrograms(): Programs {
  const file = path.join(REPO_ROOT, '.stack', 'lib', 'manifest.json');
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new StackFault(
      'The servers are not installed yet: run "node tools/stack/bootstrap.cjs" first (npm start and npm test do).',
    );
  }
}
