import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLogger } from '@commservice/telemetry';
import { createTopics, produceRaw, readAll, until } from '@commservice/testkit';
import { createTopics as createMissing, topicsOfCatalogue } from '@commservice/tools-topics';
import { isRunning } from '../process/identity.js';
import { runningProcesses } from '../process/pid-file.js';
import { DEVELOPMENT_CATALOGUE } from './development.js';
import { freePlatformPorts, startPlatform, type PlatformHandle } from './start-platform.js';

const dataDir = mkdtempSync(path.join(tmpdir(), 'platform-'));
let platform: PlatformHandle;
const said: string[] = [];

beforeAll(async () => {
  platform = await startPlatform({
    ports: await freePlatformPorts(),
    dataDir,
    durability: 'kept',
    apps: [], // the sandbox stands for them all: the journeys of tools/e2e run the real ones
    log: { say: (sentence) => void said.push(sentence), line: () => undefined },
  });
}, 180_000);

afterAll(async () => {
  const noted = runningProcesses(path.join(dataDir, 'pids'));
  await platform.stop();
  expect(noted.filter(isRunning)).toEqual([]);
  rmSync(dataDir, { recursive: true, force: true });
}, 60_000);

const sandboxAnswers = async (): Promise<boolean> =>
  (await fetch(`${platform.urls.sandbox}/health/ready`)).ok;

describe('the platform', () => {
  it('has created the topics of the catalogue and serves the sandbox', async () => {
    const topics = topicsOfCatalogue(DEVELOPMENT_CATALOGUE, 'dev');
    const specs = topics.kind === 'faulty' ? [] : topics.specs;
    expect(specs).toHaveLength(73);
    // a slow broker may have needed a second try, so what it says of the last one is no count
    expect(said.some((sentence) => /^Created \d+ topics\.$/.test(sentence))).toBe(true);
    const brokers = [platform.urls.kafka];
    const again = await createMissing({ brokers, specs, logger: silentLogger });
    expect(again).toMatchObject({ created: [], faults: [] });
    expect(await sandboxAnswers()).toBe(true);
  });

  it('leaves a killed process down until it is told to start it', async () => {
    await platform.kill('sandbox');
    expect(platform.process('sandbox').pid).toBeUndefined();
    await expect(sandboxAnswers()).rejects.toThrow();
    await platform.restart('sandbox');
    expect(await sandboxAnswers()).toBe(true);
  });

  it('freezes and thaws a process', async () => {
    const ask = (): Promise<boolean> =>
      fetch(`${platform.urls.sandbox}/health/ready`, { signal: AbortSignal.timeout(500) }).then((r) => r.ok);
    await platform.kill('sandbox', 'SIGSTOP');
    await expect(ask()).rejects.toThrow(/timeout/i);
    await platform.kill('sandbox', 'SIGCONT');
    await until(sandboxAnswers, { describe: 'the sandbox to answer again' });
  });

  it('keeps what Kafka holds through a crash and an orderly stop of the broker', async () => {
    const brokers = [platform.urls.kafka];
    await createTopics([{ name: 'survivors' }], brokers);
    await produceRaw('survivors', [{ key: 'k', value: 'before' }], { brokers });
    await platform.kill('kafka');
    await platform.startServer('kafka');
    await platform.restart('kafka');
    const records = await readAll('survivors', { brokers });
    expect(records.map((r) => r.value?.toString())).toEqual(['before']);
  }, 180_000);
});
