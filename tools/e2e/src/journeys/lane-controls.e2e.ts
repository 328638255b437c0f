import { Client } from 'pg';
import { expectConserved } from '../checks/conservation.js';
import { untilCalls } from '../checks/progress.js';
import { Operator, untilAllShow } from '../client/operator.js';
import type { Call } from '../client/sandbox.js';
import { journey, type World } from '../journey.js';

/** The promise is 2 s; the rest is for a busy machine. */
const SOON_MS = 4_000;
const p3 = (c: Call): boolean => c.priority === 'P3';

const podsOf = ({ platform }: World): [Operator, Operator] => [
  new Operator(platform.urls.apps['sms-1']),
  new Operator(platform.urls.apps['sms-2']),
];
const isPaused = async (pod: Operator): Promise<boolean> => (await pod.lane('sms:P3')).paused !== undefined;
const sendsAgain = async (pod: Operator): Promise<boolean> => !(await isPaused(pod));
/** Held, and what was in the air has ended. */
const isStill = async (pod: Operator): Promise<boolean> => {
  const lane = await pod.lane('sms:P3');
  return lane.paused !== undefined && lane.inFlight === 0;
};

/** What the audit trail holds of this journey: its reasons carry the reference. */
async function audited({ platform, api }: World): Promise<unknown[]> {
  const client = new Client({ connectionString: platform.urls.postgres });
  await client.connect();
  const { rows } = await client.query<{ entry: string }>(
    `SELECT action || ' ' || target || ' by ' || actor AS entry FROM audit WHERE reason = $1 ORDER BY id`,
    [api.reference],
  );
  await client.end();
  return rows.map((r) => r.entry);
}

journey(
  'a lane paused at one pod sends nothing on any pod, codes go on, and resumed at the other it delivers everything',
  ['sms-1', 'sms-2'],
  async (world) => {
    const { api, sandbox } = world;
    const pods = podsOf(world);
    const order = { reason: api.reference };
    const promos = await api.sendMany('sms', 'P3', 2_000);
    await untilCalls(sandbox, 50, 'promos', p3);
    const paused = await pods[0].order('POST', '/lanes/sms:P3/pause', order);
    expect(paused).toMatchObject({
      status: 200,
      body: { paused: true, by: 'ops-demo', reason: api.reference },
    });
    expect(await untilAllShow(pods, 'paused', isPaused)).toBeLessThan(SOON_MS);
    await untilAllShow(pods, 'nothing in the air', isStill);
    await sandbox.see();
    const before = sandbox.count(p3);
    expect(before).toBeLessThan(promos.length);

    const codes = await api.sendMany('sms', 'P1', 60);
    await untilCalls(sandbox, codes.length, 'codes', (c) => c.priority === 'P1');
    expect(sandbox.count(p3)).toBe(before);
    const causes = await Promise.all(pods.map(async (pod) => (await pod.lane('sms:P3')).waitingFor?.cause));
    expect(causes).toEqual(['paused', 'paused']);

    const resumed = await pods[1].order('POST', '/lanes/sms:P3/resume', order);
    expect(resumed).toMatchObject({ status: 200, body: { paused: false, by: 'ops-demo' } });
    expect(await untilAllShow(pods, 'sending', sendsAgain)).toBeLessThan(SOON_MS);
    expect(await expectConserved(world, [...promos, ...codes], { deadlineMs: 60_000 })).toBe(0);
    expect(await audited(world)).toEqual(['lane.pause sms:P3 by ops-demo', 'lane.resume sms:P3 by ops-demo']);
  },
);

journey(
  'a pause holds while PostgreSQL is away, and for a pod that starts later; no order is taken meanwhile',
  ['sms-1', 'sms-2', 'postgres'],
  async (world) => {
    const { api, platform, sandbox } = world;
    const pods = podsOf(world);
    const order = { reason: api.reference };
    await pods[0].order('POST', '/lanes/sms:P3/pause', order);
    await untilAllShow(pods, 'paused', isPaused);
    const promos = await api.sendMany('sms', 'P3', 100);
    await platform.stopServer('postgres');
    expect((await pods[0].order('POST', '/lanes/sms:P3/resume', order)).status).toBe(503);
    const codes = await api.sendMany('sms', 'P1', 30);
    await untilCalls(sandbox, codes.length, 'codes without PostgreSQL', (c) => c.priority === 'P1');
    await platform.startServer('postgres');
    await platform.restart('sms-2');
    await untilAllShow(pods, 'paused', isPaused);
    await sandbox.see();
    expect(sandbox.count(p3)).toBe(0);
    await pods[1].order('POST', '/lanes/sms:P3/resume', order);
    expect(await expectConserved(world, [...promos, ...codes], { deadlineMs: 60_000 })).toBe(0);
  },
);

journey(
  'the mode of a scope changes on every pod at once, and goes back to the catalogue',
  ['sms-1', 'sms-2'],
  async (world) => {
    const { api } = world;
    const pods = podsOf(world);
    const order = { reason: api.reference };
    const shows = (mode: string, origin: string) => async (pod: Operator) => {
      const scope = await pod.scope('sms-a');
      return scope.mode === mode && scope.modeOrigin === origin;
    };
    const promos = await api.sendMany('sms', 'P3', 600);
    const set = await pods[0].order('PUT', '/scopes/sms-a/mode', { ...order, mode: 'strict' });
    expect(set).toMatchObject({ status: 200, body: { mode: 'strict', origin: 'operator', by: 'ops-demo' } });
    expect(await untilAllShow(pods, 'strict', shows('strict', 'operator'))).toBeLessThan(SOON_MS);
    expect((await pods[1].scope('sms-a')).modeSet).toMatchObject({ by: 'ops-demo', reason: api.reference });
    const codes = await api.sendMany('sms', 'P1', 60);
    const back = await pods[1].order('DELETE', '/scopes/sms-a/mode', order);
    expect(back).toMatchObject({ status: 200, body: { mode: 'contention', origin: 'catalogue' } });
    expect(await untilAllShow(pods, 'contention', shows('contention', 'catalogue'))).toBeLessThan(SOON_MS);
    expect(await expectConserved(world, [...promos, ...codes], { deadlineMs: 60_000 })).toBe(0);
    expect(await audited(world)).toEqual([
      'scope.mode sms-a by ops-demo',
      'scope.mode.clear sms-a by ops-demo',
    ]);
  },
);

journey(
  'orders with a wrong key, for an unknown lane or without a reason are refused',
  ['sms-1'],
  async (world) => {
    const [pod] = podsOf(world);
    const order = { reason: world.api.reference };
    const status = async (...args: Parameters<Operator['order']>): Promise<number> =>
      (await pod.order(...args)).status;
    expect(await status('POST', '/lanes/sms:P3/pause', order, 'nonsense')).toBe(401);
    expect(await status('POST', '/lanes/sms:P3/pause', order, 'live_demo_key_for_development_only')).toBe(
      403,
    );
    expect(await status('POST', '/lanes/sms:P3/pause', {})).toBe(422);
    expect(await status('PUT', '/scopes/sms-a/mode', { ...order, mode: 'fair' })).toBe(422);
    expect(await status('PUT', '/scopes/push-alfa/mode', { ...order, mode: 'noop' })).toBe(404);
    const unknown = await pod.order('POST', '/lanes/sms:P4/pause', order);
    expect([unknown.status, unknown.body['detail']]).toEqual([
      404,
      'There is no such lane here; there are sms:P1, sms:P2, sms:P3',
    ]);
    expect((await pod.lane('sms:P3')).paused).toBeUndefined();
    expect(await audited(world)).toEqual([]);
  },
);
