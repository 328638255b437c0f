import { CHANNELS, PRIORITIES } from '@commservice/contracts';
import { until } from '@commservice/testkit';
import { expectConserved } from '../checks/conservation.js';
import { Flow } from '../checks/flow.js';
import { journey } from '../journey.js';

const KINDS = [
  { channel: 'sms', priority: 'P2' },
  { channel: 'push', priority: 'P2' },
  { channel: 'email', priority: 'P2' },
  { channel: 'sms', priority: 'P1' },
] as const;

journey(
  'after kill -9 of the broker under load every 202 ends, and ingest recovers by itself',
  ['ingest-api', 'sms-1', 'sms-2', 'push-1', 'email-1', 'messenger-1'],
  async ({ api, platform, sandbox }) => {
    const ingest = platform.process('ingest-api').pid;
    const flow = new Flow(api, KINDS, 60);
    const answers = (): string =>
      `${flow.answered(202)} × 202, ${flow.answered(503)} × 503, ${flow.refusals.length} not accepted`;
    await until(() => flow.ids.length >= 120, { describe: answers });
    await platform.kill('kafka');
    await until(() => flow.answered(503) >= 20, { deadlineMs: 30_000, describe: answers });
    await platform.startServer('kafka');
    const before = flow.ids.length;
    await until(() => flow.ids.length >= before + 60, { deadlineMs: 60_000, describe: answers });
    const { ids, refusals } = await flow.stop();
    // lanes that had nothing to do meanwhile must be back too
    const every = CHANNELS.flatMap((channel) => PRIORITIES.map((priority) => ({ channel, priority })));
    const later = await Promise.all(every.map(({ channel, priority }) => api.send(channel, priority)));

    expect(refusals.filter((r) => r.status !== 503)).toEqual([]);
    expect(refusals.filter((r) => !(Number(r.retryAfter) >= 1))).toEqual([]);
    expect(platform.process('ingest-api').pid).toBe(ingest);
    const repeats = await expectConserved({ api, platform, sandbox }, [...ids, ...later], {
      deadlineMs: 90_000,
      stallMs: 40_000,
    });
    const answered = new Set([...ids, ...later]);
    const strangers = new Set(sandbox.calls.map((c) => c.id).filter((id) => !answered.has(id)));
    // sent without a 202: only where the caller was told that the acknowledgement was lost
    expect(strangers.size).toBeLessThanOrEqual(
      refusals.filter((r) => r.detail.includes('acknowledgement')).length,
    );
    console.log(
      `${ids.length} × 202, ${refusals.length} × 503, ${strangers.size} sent after a lost acknowledgement, ${repeats} repeats`,
    );
  },
);
