import { setTimeout as delay } from 'node:timers/promises';
import { CHANNELS } from '@commservice/contracts';
import { untilCalls } from '../checks/progress.js';
import { journey, type World } from '../journey.js';
import { delays, delaysLine, Load, nowMs, type Delays, type SentMessage } from '../load/index.js';
import { KAFKA_IDLE_MS } from '../platform/idle.js';
import { count, seconds } from '../scale.js';
import { Figures } from './figures.js';

/** Long enough that the broker has closed every connection that was silent. */
const SILENCE_MS = 1.5 * KAFKA_IDLE_MS;
const SHORT_MORE_MS = 300;

/** Codes on all channels for a while. */
async function busy({ api, sandbox }: World, lengthS: number): Promise<Delays> {
  const loads = CHANNELS.map(
    (channel, seed) => new Load(api, { p1PerSecond: 10, p2PerSecond: 0, seed, channel }),
  );
  await delay(lengthS * 1000); // the length of the measurement
  const sent = (await Promise.all(loads.map((load) => load.stop()))).flat();
  for (let i = 0; i < 50 && delays(sent, await sandbox.see()).lost > 0; i++) await delay(100);
  return delays(sent, sandbox.calls);
}

/** One code on each channel, one after the other, so that none is warmed by another. */
async function first({ api, sandbox }: World): Promise<SentMessage[]> {
  const sent: SentMessage[] = [];
  for (const channel of CHANNELS) {
    const askedAtMs = nowMs();
    const id = await api.send(channel, 'P1');
    sent.push({ id, priority: 'P1', askedAtMs, acceptedAtMs: nowMs() });
    await untilCalls(sandbox, 1, `the code by ${channel}`, (c) => c.id === id);
  }
  return sent;
}

journey(
  'the first code after a long silence is as fast as one on a busy lane',
  ['ingest-api', 'sms-1', 'push-1', 'email-1', 'messenger-1'],
  async (world) => {
    const { platform, sandbox } = world;
    const figures = new Figures('idle-lane');
    // heartbeats would keep the connections of ingest warm
    await platform.restart('ingest-api', { HEARTBEAT_INTERVAL_MS: '0' });
    try {
      await busy(world, 1);
      const usual = await busy(world, seconds(3, 30));
      const sent: SentMessage[] = [];
      for (let n = 0; n < count(1, 20); n++) {
        await delay(SILENCE_MS); // the silence is what is tried
        sent.push(...(await first(world)));
      }
      const cold = delays(sent, sandbox.calls);
      figures.note(`silence before each, connections closed after ${KAFKA_IDLE_MS} ms, ms`, SILENCE_MS);
      figures.note('busy', delaysLine(usual));
      figures.note('first after silence', delaysLine(cold));
      for (const channel of CHANNELS) {
        const own = new Set(sandbox.calls.filter((c) => c.channel === channel).map((c) => c.id));
        const figure = delays(
          sent.filter((m) => own.has(m.id)),
          sandbox.calls,
        );
        figures.note(`first after silence by ${channel}`, delaysLine(figure));
      }
      figures.must('first after silence, p99, ms', cold.p99, {
        atMost: usual.p99,
        short: { atMost: usual.p99 + SHORT_MORE_MS },
      });
      figures.must('codes lost or doubled', cold.lost + cold.doubled, { atMost: 0 });
    } finally {
      await platform.restart('ingest-api');
    }
    figures.hold();
  },
);
