/** What a bench cannot do, in a sentence for people: no stack is shown. */
export class BenchFault extends Error {
  override readonly name = 'BenchFault';
}

/** Runs a command of this project; its faults become one sentence and exit code 1. */
export function runCommand(command: () => Promise<boolean>): void {
  // an orderly exit ends the processes that were started with it
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  command().then(
    (holds) => {
      process.exitCode = holds ? 0 : 1;
    },
    (error: unknown) => {
      console.error(error instanceof Error && /Fault$/.test(error.name) ? error.message : error);
      process.exitCode = 1;
    },
  );
}
