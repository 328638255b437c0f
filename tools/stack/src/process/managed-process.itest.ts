import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '@commservice/testkit';
import { StackFault } from '../fault.js';
import { isRunning } from './identity.js';
import { stopLeftovers } from './leftovers.js';
import { ManagedProcess, type ProcessSpec } from './managed-process.js';
import { runningProcesses, writePidFile } from './pid-file.js';
import { freePorts, requireFreePorts } from './port.js';
import { termThenKill } from './stop.js';

const dataDir = mkdtempSync(path.join(tmpdir(), 'managed-'));
const folders = { pids: path.join(dataDir, 'pids'), logs: path.join(dataDir, 'logs') };
const READY = 'console.log("ready"); setInterval(() => {}, 1000);';

function spec(name: string, script: string, more: Partial<ProcessSpec> = {}): ProcessSpec {
  return {
    name,
    command: process.execPath,
    args: ['-e', script],
    env: {},
    output: 'lines',
    ready: () => Promise.resolve(true),
    startDeadlineMs: 10_000,
    stop: termThenKill(5_000),
    ...more,
  };
}

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe('ManagedProcess', () => {
  it('runs a process with the niceness of its spec, in its session too', async () => {
    const managed = new ManagedProcess(spec('nice', READY, { niceness: 7 }), folders, {});
    await managed.start();
    const pid = runningProcesses(folders.pids).find(({ name }) => name === 'nice')?.pid ?? 0;
    expect(getPriority(pid)).toBe(7);
    const session = `/proc/${pid}/autogroup`;
    if (existsSync(session)) expect(readFileSync(session, 'utf8')).toContain('nice 7');
    await managed.stop();
  });

  it('hands on every line and keeps it in the log file', async () => {
    const lines: string[] = [];
    const managed = new ManagedProcess(spec('talker', READY), folders, {
      line: (line) => void lines.push(line),
    });
    await managed.start();
    await until(() => lines.length === 1, { describe: 'the line' });
    await managed.stop();
    expect(lines).toEqual(['ready']);
    expect(readFileSync(managed.logFile, 'utf8')).toBe('ready\n');
  });

  it('quotes the last lines of a process that dies while it starts', async () => {
    const dying = spec('dying', 'console.error("no such file"); process.exit(3)', {
      ready: () => Promise.resolve(false),
    });
    const fault = await new ManagedProcess(dying, folders).start().catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(StackFault);
    expect((fault as StackFault).message).toContain('dying ended with code 3 while it started');
    expect((fault as StackFault).evidence?.lines).toEqual(['no such file']);
  });

  it('stops one that never gets ready, and says so', async () => {
    const late = new ManagedProcess(
      spec('late', READY, { ready: () => Promise.resolve(false), startDeadlineMs: 200 }),
      folders,
    );
    await expect(late.start()).rejects.toThrow('late was not ready after 0.2 s');
    expect(late.pid).toBeUndefined();
  });

  it('reports a death nobody asked for, and no other', async () => {
    const deaths: string[] = [];
    const managed = new ManagedProcess(spec('victim', READY), folders, {
      died: (how) => void deaths.push(how),
    });
    await managed.start();
    process.kill(managed.pid as number, 'SIGKILL');
    await until(() => deaths.length > 0, { describe: 'the death' });
    await managed.start();
    await managed.kill();
    expect(deaths).toEqual(['was ended by SIGKILL']);
  });

  it('forces a process that ignores SIGTERM, and one that is frozen', async () => {
    const deaf = spec('deaf', `process.on('SIGTERM', () => {}); ${READY}`, { stop: termThenKill(200) });
    for (const frozen of [false, true]) {
      const lines: string[] = [];
      const managed = new ManagedProcess(deaf, folders, { line: (line) => void lines.push(line) });
      await managed.start();
      await until(() => lines.length > 0, { describe: 'its handler to be in place' });
      if (frozen) managed.signal('SIGSTOP');
      await managed.stop();
      expect(managed.pid).toBeUndefined();
    }
  });

  it('tells that a command does not exist', async () => {
    const missing = new ManagedProcess(spec('missing', '', { command: '/nowhere/at/all' }), folders);
    await expect(missing.start()).rejects.toThrow(/missing could not be started.*ENOENT/);
  });
});

describe('stopLeftovers', () => {
  it('stops what a killed supervisor left, and leaves alone a process that merely has the same pid', async () => {
    const left = new ManagedProcess(spec('left', READY), folders);
    await left.start();
    const identity = left.identity;
    if (!identity) throw new Error('it runs');
    writePidFile(folders.pids, 'reused', { pid: process.pid, started: 'another boot:1' });

    const stopped = await stopLeftovers(dataDir);

    expect(stopped.map((n) => n.name)).toEqual(['left']);
    expect(isRunning(identity)).toBe(false);
    expect(runningProcesses(folders.pids)).toEqual([]);
  });
});

describe('requireFreePorts', () => {
  it('names every taken port, its owner and the variable that moves it', async () => {
    const [port] = (await freePorts(1)) as [number];
    const holder = createServer().listen(port, '127.0.0.1');
    await until(() => holder.listening, { describe: 'the holder to listen' });
    const claim = { port, owner: 'Kafka', variable: 'KAFKA_PORT' };
    await expect(requireFreePorts([claim])).rejects.toThrow(
      `Port ${port} (Kafka) is in use by another program: stop that program or set KAFKA_PORT to a free port.`,
    );
    await new Promise((resolve) => holder.close(resolve));
    await expect(requireFreePorts([claim])).resolves.toBeUndefined();
  });
});
