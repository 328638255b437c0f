import path from 'node:path';
import { ownEnvironment } from './config.js';
import { StackFault } from './fault.js';
import { clearData, stopLeftovers } from './process/leftovers.js';
import { runningProcesses } from './process/pid-file.js';
import { DEFAULT_DATA_DIR } from './root.js';

/** Stops what an earlier run left and removes data, logs and configuration. Downloads stay. */
async function reset(dataDir: string): Promise<string> {
  const running = runningProcesses(path.join(dataDir, 'pids')).find((n) => n.name === 'npm-start');
  if (running)
    throw new StackFault(
      `The platform runs (npm start, pid ${running.pid}): stop it with Ctrl-C in its window first.`,
    );
  await stopLeftovers(dataDir);
  clearData(dataDir);
  return `The data in ${dataDir} is gone; the next npm start begins anew.`;
}

reset(ownEnvironment().STACK_DIR ?? DEFAULT_DATA_DIR).then(
  (sentence) => console.log(sentence),
  (error: unknown) => {
    console.error(error instanceof StackFault ? error.message : error);
    process.exitCode = 1;
  },
);
