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
import { AccountState } from '../src/account/account-state.js';
import type { LaneItem } from '../src/lane-item.js';
import { LaneMeters } from '../src/lane-meters.js';
import { SkippingStage } from '../src/limits/skipping-stage.js';
import { LaneQueue, type LaneSource } from '../src/lane-queue.js';
import { Routes } from '../src/routes.js';
import { LaneWorker } from '../src/lane-worker.js';
import { Settler } from '../src/settler.js';
import { AdmitStep } from '../src/steps/admit.js';
import { ClaimStage } from '../src/steps/claim-stage.js';
import type { Verdict } from '../src/steps/verdict.js';
import { WakeTimer } from '../src/wake-timer.js';

const DATA_KEY: DataKey = { id: 'k1', brand: 'alfa', day: '2026-12-01', secret: Buffer.alloc(32, 7) };
export const START = 1_800_000_000_000;
export const id = (n: number): string => `019a0000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** A lane from its queue to its sends, with a clock, tokens and a provider of the test's. */
export interface Rig {
  tokens: number;
  now: number;
  fresh: boolean;
  held: boolean;
  keyLookup: KeyLookup;
  readonly sends: string[];
  readonly settled: number[];
  readonly outcomes: string[];
  readonly worker: LaneWorker;
  readonly account: AccountState;
  readonly skipping: SkippingStage;
  readonly claimed: string[];
  halted(): string | undefined;
  /** Why the next record waits. */
  waitingFor(): string | undefined;
  drop(): void;
  offer(...records: FetchedRecord[]): void;
  finish(n: number, verdict?: Verdict): Promise<void>;
}

/** @param key recipient */
export function record(n: number, fields: Partial<Message> = {}, key = 'k'): FetchedRecord {
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
    sealed: seal(
      encodePayload({ to: { phone: '+447700900123' }, content: { text: 'Hello' } }),
      DATA_KEY,
      id(n),
    ),
    ...fields,
  };
  return {
    topic: 't',
    partition: 0,
    offset: n,
    key: Buffer.from(key),
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
export const settleAll = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function rig(
  priority: Priority,
  answer: (n: string) => ClaimAnswer = () => ({ kind: 'new' }),
  idempotent = true,
  limits: Pick<Account, 'brandLimits' | 'recipientLimit'> = {},
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
  const claimed: string[] = [];
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
  const onDropped = (): void => {
    admit.forget();
    claims.clear();
  };
  const queue: LaneQueue = new LaneQueue([source], clock, {
    onOffer: pump,
    onDrained: () => undefined,
    onDropped,
  });
  const account = new AccountState(
    'a',
    {
      ratePerSecond: 200,
      inFlight: 40,
      timeoutMs: { P1: 1, P2: 1, P3: 1 },
      idempotent,
      ...limits,
    } as Account,
    clock,
  );
  account.limits.addLane({ priority: 'P2', ownership: () => 1 });
  account.limits.addLane({ priority: 'P3', ownership: () => 1 });
  const skipping = new SkippingStage({ limits: account.limits, clock });
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
      claim: (group) => (
        claimed.push(...group.map((r) => r.id)),
        Promise.resolve(group.map((r) => answer(r.id)))
      ),
      release: () => undefined,
    },
    clock,
    reserveMs: () => 10_000,
    onDuplicate: (item) => settler.store(item, { kind: 'duplicate' }),
    onReady: pump,
  });
  const admit = new AdmitStep({
    queue,
    keys: { byId: (k) => (k === 'k1' ? DATA_KEY : undefined), load: () => Promise.resolve(state.keyLookup) },
    settler,
    logger: silentLogger,
    clock,
    onLate: (item) => claims.add([item]),
    onMore: pump,
    skipping,
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
    windowItems: () => 50,
    timer: new WakeTimer(clock, pump),
    consumer: { ownershipFresh: () => state.fresh },
    meters,
  });
  const handler = ([item]: readonly LaneItem[]): Promise<readonly Verdict[]> =>
    new Promise((resolve) => {
      // as LaneSender does
      (item as LaneItem).narrow?.started();
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
    ...{ account, skipping, claimed },
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
