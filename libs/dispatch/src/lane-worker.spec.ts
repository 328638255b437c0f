import { BoundedQueue, type ClaimAnswer } from '@commservice/batch-safety';
import {
  encodePayload,
  seal,
  type Account,
  type DataKey,
  type KeyLookup,
  type Message,
  type Priority,
} from '@commservice/contracts';
import type { FetchedRecord } from '@commservice/kafka';
import type { Seat } from '@commservice/priority-mutex';
import { noopMetrics, silentLogger } from '@commservice/telemetry';
import { AccountState } from './account/account-state.js';
import type { LaneItem } from './lane-item.js';
import { LaneMeters } from './lane-meters.js';
import { LaneQueue, type LaneSource } from './lane-queue.js';
import { Routes } from './routes.js';
import { LaneWorker } from './lane-worker.js';
import { Settler } from './settler.js';
import { AdmitStep } from './steps/admit.js';
import { ClaimStage } from './steps/claim-stage.js';
import type { Verdict } from './steps/verdict.js';
import { WakeTimer } from './wake-timer.js';

const key: DataKey = { id: 'k1', brand: 'alfa', day: '2026-12-01', secret: Buffer.alloc(32, 7) };
const START = 1_800_000_000_000;
const id = (n: number): string => `019a0000-0000-7000-8000-${String(n).padStart(12, '0')}`;

interface Rig {
  tokens: number;
  now: number;
  fresh: boolean;
  held: boolean;
  keyLookup: KeyLookup;
  readonly sends: string[];
  readonly settled: number[];
  readonly outcomes: string[];
  readonly worker: LaneWorker;
  halted(): string | undefined;
  /** Why the next record waits. */
  waitingFor(): string | undefined;
  drop(): void;
  offer(...records: FetchedRecord[]): void;
  finish(n: number, verdict?: Verdict): Promise<void>;
}

function record(n: number, fields: Partial<Message> = {}): FetchedRecord {
  const message: Message = {
    id: id(n),
    team: 'demo',
    channel: 'sms',
    brand: 'alfa',
    category: 'promo',
    priority: 'P3',
    units: 1,
    acceptedAt: START,
    expiresAt: START + 60_000,
    kind: 'message',
    sealed: seal(encodePayload({ to: { phone: '+447700900123' }, content: { text: 'Hello' } }), key, id(n)),
    ...fields,
  };
  return {
    topic: 't',
    partition: 0,
    offset: n,
    key: Buffer.from('k'),
    value: Buffer.from(JSON.stringify(message)),
    headers: {},
    timestamp: START,
    bytes: 100,
    fresh: true,
  };
}

const sent: Verdict = {
  kind: 'outcome',
  outcome: { kind: 'sent', account: 'a', providerId: 'p', receiptExpected: true },
};
const settleAll = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function rig(
  priority: Priority,
  answer: (n: string) => ClaimAnswer = () => ({ kind: 'new' }),
  idempotent = true,
): Rig {
  const state = {
    tokens: Infinity,
    now: 0,
    fresh: true,
    held: false,
    keyLookup: { kind: 'dropped' } as KeyLookup,
  };
  const clock = { now: () => START + state.now, monotonic: () => state.now };
  const lane = { channel: 'sms', priority } as const;
  const sends: string[] = [];
  const settled: number[] = [];
  const outcomes: string[] = [];
  const open = new Map<string, (v: readonly Verdict[]) => void>();
  const source: LaneSource = {
    topic: 't',
    delayMs: 0,
    queue: new BoundedQueue(
      { capacity: { items: 1000, bytes: 1e9 }, onFull: 'block' },
      (w) => w.record.bytes,
      clock,
    ),
  };
  const pump = (): void => worker.pump();
  const onDropped = (): void => claims.clear();
  const queue: LaneQueue = new LaneQueue([source], clock, {
    onOffer: pump,
    onDrained: () => undefined,
    onDropped,
  });
  const account = new AccountState(
    'a',
    { ratePerSecond: 200, inFlight: 40, timeoutMs: { P1: 1, P2: 1, P3: 1 }, idempotent } as Account,
    clock,
  );
  const settler = new Settler(
    {
      write: (s, o) => (
        outcomes.push(
          `${s.record.offset} ${o.kind}${s.generation > 0 ? ` of generation ${s.generation}` : ''}`,
        ),
        Promise.resolve(true)
      ),
    },
    { settle: (r) => void settled.push(r.offset) },
    pump,
  );
  const claims = new ClaimStage({
    priority,
    claims: {
      claimInMemory: (r) => answer(r.id),
      claim: (group) => Promise.resolve(group.map((r) => answer(r.id))),
      release: () => undefined,
    },
    clock,
    reserveMs: 10_000,
    onDuplicate: (item) => settler.store(item, { kind: 'duplicate' }),
    onReady: pump,
  });
  const admit = new AdmitStep({
    queue,
    keys: { byId: (k) => (k === 'k1' ? key : undefined), load: () => Promise.resolve(state.keyLookup) },
    settler,
    logger: silentLogger,
    clock,
    onLate: (item) => claims.add([item]),
  });
  const meters = new LaneMeters(lane, false, noopMetrics(), clock, () => 1);
  const worker: LaneWorker = new LaneWorker({
    lane,
    queue,
    admit,
    claims,
    routes: new Routes(priority, [account]),
    settler,
    clock,
    held: () => state.held,
    windowItems: 50,
    timer: new WakeTimer(clock, pump),
    consumer: { ownershipFresh: () => state.fresh },
    meters,
  });
  const handler = ([item]: readonly LaneItem[]): Promise<readonly Verdict[]> =>
    new Promise((resolve) => {
      sends.push((item as LaneItem).message.id);
      open.set((item as LaneItem).message.id, resolve);
    });
  const seat: Seat = {
    take: (units) => {
      if (state.tokens < units) return { kind: 'no-quota', waitMs: 5, cause: 'token' };
      state.tokens -= units;
      return { kind: 'granted', token: { units, priority, takenAtMs: 0, borrowed: false } };
    },
    giveBack: () => undefined,
    demandChanged: () => undefined,
    pressAccount: () => undefined,
    leave: () => undefined,
  };
  worker.start(handler, [seat]);
  return Object.assign(state, {
    sends,
    settled,
    outcomes,
    worker,
    halted: () => admit.halted,
    waitingFor: () => meters.waitingFor?.cause,
    drop: () => queue.dropAll(),
    offer: (...records: FetchedRecord[]) => queue.offer(records),
    finish: (n: number, verdict: Verdict = sent) => {
      // what the send step does when the vendor answers
      account.ended(priority, { kind: 'accepted', providerIds: [], units: 1, receipt: 'none' }, 50);
      open.get(id(n))?.([verdict]);
      return settleAll();
    },
  });
}

describe('LaneWorker', () => {
  it('sends a fresh P1 within the call that brought it', () => {
    const r = rig('P1');
    r.offer(record(1, { priority: 'P1' }));
    expect(r.sends).toEqual([id(1)]);
  });

  it('settles a record only when its outcome is stored', async () => {
    const r = rig('P3');
    r.offer(record(1));
    await settleAll();
    expect(r.settled).toEqual([]);
    await r.finish(1);
    expect(r.outcomes).toEqual(['1 sent']);
    expect(r.settled).toEqual([1]);
  });

  it('lets a hung send delay nothing but itself', async () => {
    const r = rig('P1');
    r.offer(record(1, { priority: 'P1' }));
    for (let n = 2; n <= 40; n++) {
      r.offer(record(n, { priority: 'P1' }));
      await r.finish(n);
    }
    expect(r.sends).toHaveLength(40);
    expect(r.settled).not.toContain(1);
  });

  it('starts no more sends than it has slots, and goes on as they end', async () => {
    const r = rig('P3');
    r.offer(...Array.from({ length: 30 }, (_, i) => record(i + 1)));
    await settleAll();
    const slots = r.sends.length;
    expect(slots).toBeLessThanOrEqual(20); // half the account's in-flight limit
    await r.finish(1);
    expect(r.sends).toHaveLength(slots + 1);
  });

  it('sends what it has tokens for, units counted, and keeps the order', async () => {
    const r = rig('P3');
    r.tokens = 4;
    r.offer(record(1), record(2, { units: 3 }), record(3));
    await settleAll();
    expect(r.sends).toEqual([id(1), id(2)]);
    r.tokens = 1;
    r.worker.pump();
    expect(r.sends).toEqual([id(1), id(2), id(3)]);
  });

  it('sends nothing whose time is over, without spending a token', async () => {
    const r = rig('P3');
    r.tokens = 1;
    r.offer(record(1, { expiresAt: START + 10 }), record(2));
    await settleAll();
    expect(r.outcomes).toEqual(['1 expired']);
    expect(r.sends).toEqual([id(2)]);
  });

  it('looks at the time again when the token comes', async () => {
    const r = rig('P3');
    r.tokens = 0;
    r.offer(record(1, { expiresAt: START + 1_000 }));
    await settleAll();
    r.now = 990;
    r.tokens = 1;
    r.worker.pump();
    await settleAll();
    expect(r.sends).toEqual([]);
    expect(r.outcomes).toEqual(['1 expired']);
  });

  it('dead-letters what cannot be read, and goes on', async () => {
    const r = rig('P3');
    r.offer(
      { ...record(1), value: Buffer.from('{') },
      { ...record(2), value: Buffer.from('{"id":"x"}') },
      record(3),
    );
    await settleAll();
    expect(r.outcomes).toEqual(['1 dead-letter', '2 dead-letter']);
    expect(r.sends).toEqual([id(3)]);
    expect(r.settled).toEqual([1, 2]);
  });

  it('stops at a record of a newer schema, settles nothing of it and says why', async () => {
    const r = rig('P3');
    r.offer({ ...record(1), headers: { 'x-cs-schema': 'message.v2' } }, record(2));
    await settleAll();
    expect(r.sends).toEqual([]);
    expect(r.settled).toEqual([]);
    expect(r.halted()).toMatch(/message\.v2/);
  });

  it('starts nothing while the partitions may belong to another pod', async () => {
    const r = rig('P3');
    r.fresh = false;
    r.offer(record(1));
    await settleAll();
    expect(r.sends).toEqual([]);
    r.fresh = true;
    r.worker.pump();
    expect(r.sends).toEqual([id(1)]);
  });

  it('forgets what waits when the generation changes', async () => {
    const r = rig('P3');
    r.tokens = 0;
    r.offer(record(1), record(2));
    await settleAll();
    r.drop();
    r.tokens = 9;
    r.worker.pump();
    expect(r.sends).toEqual([]);
  });

  it('keeps a throttled record first in line', async () => {
    const r = rig('P3');
    r.tokens = 1;
    r.offer(record(1), record(2));
    await settleAll();
    await r.finish(1, { kind: 'again' });
    r.tokens = 2;
    r.worker.pump();
    expect(r.sends).toEqual([id(1), id(1), id(2)]);
    expect(r.settled).toEqual([]);
  });

  it('does not repeat a send of unknown effect of another pod where the vendor has no idempotency, but for P1', async () => {
    const p3 = rig('P3', () => ({ kind: 'takeover' }), false);
    p3.offer(record(1));
    await settleAll();
    expect(p3.outcomes).toEqual(['1 unconfirmed']);
    const p1 = rig('P1', () => ({ kind: 'takeover' }), false);
    p1.offer(record(1, { priority: 'P1' }));
    expect(p1.sends).toEqual([id(1)]);
  });

  it('holds a record whose data key cannot be read now, and dead-letters it only when the key is gone', async () => {
    const r = rig('P3');
    r.keyLookup = { kind: 'no-answer' };
    const sealed = record(1).value?.toString().replace('sealed.v1.k1.', 'sealed.v1.k2.') ?? '';
    r.offer({ ...record(1), value: Buffer.from(sealed) }, record(2));
    await settleAll();
    expect(r.outcomes).toEqual([]);
    expect(r.sends).toEqual([id(2)]);
    const gone = rig('P3');
    gone.offer({ ...record(1), value: Buffer.from(sealed), headers: { 'x-cs-redrive': '2:job' } });
    await settleAll();
    expect(gone.outcomes).toEqual(['1 dead-letter of generation 2']);
  });

  it('knows a message that was sent before also when its time is over by now', async () => {
    const r = rig('P3', () => ({ kind: 'done' }));
    r.offer(record(1, { expiresAt: START + 10 }));
    await settleAll();
    expect(r.outcomes).toEqual(['1 duplicate']);
  });

  it('takes and starts nothing while an operator holds the lane, settles what is in the air, and goes on in order', async () => {
    const r = rig('P3');
    r.offer(record(1));
    await settleAll();
    r.held = true;
    r.offer(record(2), { ...record(3), value: Buffer.from('{') }, record(4, { expiresAt: START + 10 }));
    await r.finish(1);
    expect([r.sends, r.settled, r.waitingFor()]).toEqual([[id(1)], [1], 'paused']);
    r.held = false;
    r.worker.pump();
    await settleAll();
    expect(r.sends).toEqual([id(1), id(2)]);
    expect(r.outcomes).toEqual(['1 sent', '3 dead-letter', '4 expired']);
  });

  it('wants nothing while it could not send: it would hold lower classes back for nothing', async () => {
    const r = rig('P1');
    r.tokens = 0;
    r.offer(record(1, { priority: 'P1' }));
    expect(r.worker.seatFor(0).waiting().units).toBe(1);
    r.fresh = false;
    expect(r.worker.seatFor(0).waiting()).toEqual({ units: 0, nextUnits: 0 });
    Object.assign(r, { fresh: true, held: true });
    expect(r.worker.seatFor(0).waiting()).toEqual({ units: 0, nextUnits: 0 });
    r.held = false;
    r.offer({ ...record(2), headers: { 'x-cs-schema': 'message.v2' } });
    expect(r.worker.seatFor(0).waiting()).toEqual({ units: 0, nextUnits: 0 });
    const stopped = rig('P1');
    stopped.tokens = 0;
    stopped.offer(record(1, { priority: 'P1' }));
    await stopped.worker.stop(10);
    expect(stopped.worker.seatFor(0).waiting()).toEqual({ units: 0, nextUnits: 0 });
  });
});
