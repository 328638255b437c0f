import path from 'node:path';
import { StackFault } from '../fault.js';
import { APPS } from '../platform/app-names.js';
import type { PlatformOptions } from '../platform/options.js';
import { Platform } from '../platform/platform.js';
import { platformOptions, type StartOptions } from '../platform/start-platform.js';
import { identify, isRunning } from '../process/identity.js';
import { removePidFile, runningProcesses, writePidFile } from '../process/pid-file.js';
import { SERVERS } from '../servers/server.js';
import { followFile } from './follow-file.js';
import { LineFormatter } from './format-line.js';
import type { Output } from './output.js';
import { isWorthSeeing } from './server-line.js';
import { welcome } from './welcome.js';

const NOTE = 'npm-start';
const PARENT_POLL_MS = 1_000;

/** Notes that this process is the one that runs the platform of `dataDir`; a StackFault when another one does. */
function claim(dataDir: string): void {
  const pids = path.join(dataDir, 'pids');
  const other = runningProcesses(pids).find((n) => n.name === NOTE);
  if (other)
    throw new StackFault(
      `The platform runs already (npm start, pid ${other.pid}): stop it with Ctrl-C in its window first.`,
    );
  const ourselves = identify(process.pid);
  if (ourselves) writePidFile(pids, NOTE, ourselves);
}

/** npm passes SIGTERM on, but cannot when it is killed itself: its end is ours too. */
function whenParentEnds(then: () => void): void {
  const parent = identify(process.ppid);
  if (!parent) return;
  const timer = setInterval(() => {
    if (isRunning(parent)) return;
    clearInterval(timer);
    then();
  }, PARENT_POLL_MS);
  timer.unref();
}

/** Resolves with the reason to stop: a signal, or the end of npm. */
function reasonToStop(watchParent: boolean): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal));
    if (watchParent) whenParentEnds(() => resolve('npm ended'));
  });
}

function lineLog(output: Output, colour: boolean) {
  const nameWidth = Math.max(...[...APPS, 'sandbox'].map((name) => name.length));
  const formatter = new LineFormatter({ colour, nameWidth });
  return {
    line: (name: string, raw: string) => output.line(formatter.line(name, raw)),
    say: (sentence: string) => output.line(formatter.line('stack', sentence)),
  };
}

/** What `npm start` decides for itself; the rest as in `platformOptions`. */
export type SuperviseOptions = StartOptions & Pick<PlatformOptions, 'ports' | 'sandbox' | 'dataDir' | 'apps'>;

/**
 * Runs the platform until it is told to stop, then stops it. Rejects with a StackFault, and nothing left running, when
 * it cannot start.
 */
export async function supervise(
  given: SuperviseOptions,
  output: Output,
  terminal: { colour: boolean; watchParent: boolean },
): Promise<void> {
  const log = lineLog(output, terminal.colour);
  claim(given.dataDir);
  const stopReason = reasonToStop(terminal.watchParent);
  const platform = new Platform(platformOptions({ ...given, log }));
  log.say('Starting servers, then sandbox and apps …');
  const logs = path.join(given.dataDir, 'logs');
  const started = platform.start().then(() => {
    for (const server of SERVERS.filter((name) => platform.ownServers.includes(name))) {
      followFile(
        path.join(logs, `${server}.log`),
        (line) => isWorthSeeing(server, line) && log.line(server, line),
      );
    }
    for (const line of welcome(given.ports, given).split('\n')) output.line(line);
  });
  try {
    // a start that fails ends us; one that succeeds leaves us waiting for the reason to stop
    const reason = await Promise.race([stopReason, started.then(() => stopReason)]);
    log.say(`${reason}: stopping apps, sandbox and servers …`);
    started.catch(() => undefined); // interrupted while it started
    await platform.stop();
    log.say('Everything is stopped.');
  } catch (error) {
    const { process: name, lines } = (error instanceof StackFault && error.evidence) || {
      process: '',
      lines: [],
    };
    if (lines.length > 0) output.line(`\nThe last lines of ${name}:`);
    for (const line of lines) log.line(name, line);
    throw error;
  } finally {
    removePidFile(path.join(given.dataDir, 'pids'), NOTE);
  }
}
