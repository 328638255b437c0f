import { setTimeout as delay } from 'node:timers/promises';
import { counterOf } from '@commservice/testkit';
import { untilCalls } from '../checks/progress.js';
import { journey, type World } from '../journey.js';
import { acceptedAtMs, delays, delaysLine, Load, untilDrained, type Delays } from '../load/index.js';
import { count, seconds } from '../scale.js';
import { PUSH_RATE } from '../platform/journey-catalogue.js';
import { mustKeepContract } from './contract.js';
import { Figures } from './figures.js';

/** Both brands' lanes share one process and one small machine. */
const SHORT_MORE_MS = 500;

/** From the request, and from the moment at which ingest accepted it: what the lane adds. */
interface Both {
  readonly fromRequest: Delays;
  readonly fromAccept: Delays;
}

async function promosOfBeta({ api, sandbox }: World, lengthS: number, seed: number): Promise<Both> {
  const load = new Load(api, {
    p1PerSecond: 0,
    p2PerSecond: 0,
    p3PerSecond: 20,
    channel: 'push',
    brand: 'beta',
    seed,
  });
  await delay(lengthS * 1000); // the length of the measurement
  const sent = await load.stop();
  expect(load.refusals).toEqual([]);
  for (let i = 0; i < 100 && delays(sent, await sandbox.see()).lost > 0; i++) await delay(100);
  const accepted = sent.map(({ id }) => ({ id, askedAtMs: acceptedAtMs(id) }));
  return { fromRequest: delays(sent, sandbox.calls), fromAccept: delays(accepted, sandbox.calls) };
}

journey(
  'a flood of promos of one brand leaves the promos of another as they were',
  ['push-1', 'ingest-api'],
  async (world) => {
    const { api, platform, sandbox } = world;
    const figures = new Figures('brands');
    await untilDrained(platform, ['push-1']);
    await promosOfBeta(world, 1, 21);
    const alone = await promosOfBeta(world, seconds(4, 60), 22);
    // all of it is uploaded before: what is tried is the lane, not the API
    await api.sendMany('push', 'P3', count(2_500, 20_000));
    await untilCalls(sandbox, 200, 'promos of alfa', (c) => c.brand === 'alfa');
    const leases = async (): Promise<number> => {
      const response = await fetch(`${platform.urls.apps['push-1']}/metrics`);
      return counterOf(await response.text(), 'commservice_lease_calls_total', 'scope="push-alfa"');
    };
    const before = sandbox.count((c) => c.brand === 'alfa');
    const leasesBefore = await leases();
    const flooded = await promosOfBeta(world, seconds(4, 40), 23);
    const alfa = sandbox.count((c) => c.brand === 'alfa') - before;
    const leasesMeanwhile = (await leases()) - leasesBefore;
    const waited = count(2_500, 20_000) - sandbox.count((c) => c.brand === 'alfa');
    figures.note('beta alone', delaysLine(alone.fromAccept));
    figures.note('beta while alfa floods', delaysLine(flooded.fromAccept));
    figures.note('the same from the request', delaysLine(flooded.fromRequest));
    figures.note('promos of alfa sent meanwhile', alfa);
    figures.must('coordinator calls a message', leasesMeanwhile / alfa, { atMost: 0.1 });
    figures.must('promos of alfa that still waited at the end', waited, { atLeast: 1 });
    figures.must('P3 p99 of beta while alfa floods, accepted to call, ms', flooded.fromAccept.p99, {
      atMost: 2 * alone.fromAccept.p99,
      short: { atMost: 2 * alone.fromAccept.p99 + SHORT_MORE_MS },
    });
    figures.must('promos of beta lost or doubled', flooded.fromAccept.lost + flooded.fromAccept.doubled, {
      atMost: 0,
    });
    await mustKeepContract(figures, sandbox, 'push-alfa', PUSH_RATE);
    await untilDrained(platform, ['push-1'], 300_000);
    figures.hold();
  },
);
