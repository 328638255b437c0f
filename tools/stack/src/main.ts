import { ConfigError } from '@commservice/config';
import { Output } from './console/output.js';
import { supervise } from './console/supervise.js';
import { StackFault } from './fault.js';
import { readOptions } from './config.js';

/** What a person can put right is told in its own words; anything else is a bug and shows where it happened. */
function explain(error: unknown): string {
  if (error instanceof StackFault || error instanceof ConfigError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function main(): Promise<void> {
  const output = new Output(process.stdout);
  try {
    await supervise(readOptions(process.env, process.argv.slice(2)), output, {
      colour: process.stdout.isTTY && process.env.NO_COLOR === undefined,
      watchParent: process.env.npm_lifecycle_event !== undefined,
    });
  } catch (error) {
    console.error(`\n${explain(error)}\n`);
    process.exitCode = 1;
  }
  await output.flush();
  process.exit();
}

void main();
