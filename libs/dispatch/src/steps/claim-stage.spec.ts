import type { ClaimAnswer } from '@commservice/batch-safety';
import type { Priority } from '@commservice/contracts';
import type { LaneItem } from '../lane-item.js';
import type { Claims } from './claim-stage-options.js';
import { ClaimStage } from './claim-stage.js';

let now = 0;
let reserveMs = 1_000;
const clock = { now: () => now, monotonic: () => now };

function item(id: string, fresh = false): LaneItem {
  return {
    record: { fresh },
    message: { id, units: 1 },
    generation: 0,
    claimedAt: 0,
    reservedMs: 0,
    takenOver: false,
    waitingSince: 0,
  } as LaneItem;
}

function stageOf(
  priority: Priority,
  answer: (id: string) => ClaimAnswer,
  memory: ClaimAnswer = { kind: 'new' },
) {
  const log: string[] = [];
  const claims: Claims = {
    claimInMemory: ({ id }) => (log.push(`memory ${id}`), memory),
    claim: (group) => {
      log.push(`ask ${group.map((g) => g.id).join(',')}`);
      return Promise.resolve(group.map((g) => answer(g.id)));
    },
    release: (id) => void log.push(`release ${id}`),
  };
  const duplicates: string[] = [];
  let onReady: () => void = () => undefined;
  const ready = (): Promise<void> => new Promise((resolve) => (onReady = resolve));
  const stage = new ClaimStage({
    priority,
    claims,
    clock,
    reserveMs: () => reserveMs,
    onDuplicate: (i) => duplicates.push(i.message.id),
    onReady: () => onReady(),
  });
  return { stage, log, duplicates, ready };
}

describe('ClaimStage', () => {
  it('lets a fresh P1 go at once, without asking anyone', () => {
    const { stage, log } = stageOf('P1', () => ({ kind: 'unknown' }));
    stage.add([item('a', true)]);
    expect(stage.peek()?.message.id).toBe('a');
    expect(log).toEqual(['memory a']);
  });

  it('claims a group in one round trip and keeps its order', async () => {
    const { stage, log, ready } = stageOf('P3', () => ({ kind: 'new' }));
    stage.add([item('a'), item('b'), item('c')]);
    expect(stage.peek()).toBeUndefined();
    await ready();
    expect([stage.shift(), stage.shift(), stage.shift()].map((i) => i?.message.id)).toEqual(['a', 'b', 'c']);
    expect(log).toEqual(['ask a,b,c']);
  });

  it('never sends what was sent before', async () => {
    const { stage, duplicates, ready } = stageOf('P2', (id) => ({ kind: id === 'a' ? 'done' : 'new' }));
    stage.add([item('a'), item('b')]);
    await ready();
    expect(stage.peek()?.message.id).toBe('b');
    expect(duplicates).toEqual(['a']);
    expect(stage.size).toBe(1);
  });

  it('lets an older P1 go when Redis is silent, and holds back an older P3', async () => {
    const p1 = stageOf('P1', () => ({ kind: 'unknown' }));
    p1.stage.add([item('a')]);
    await p1.ready();
    expect(p1.stage.peek()?.message.id).toBe('a');
    const p3 = stageOf('P3', () => ({ kind: 'unknown' }));
    p3.stage.add([item('a'), item('b', true)]);
    await p3.ready();
    expect(p3.stage.peek()?.message.id).toBe('b'); // no other pod can have had it
    expect([p3.stage.size, p3.stage.waitingCount]).toEqual([1, 1]);
    p3.stage.clear();
  });

  it('releases what it holds when the generation is lost, also answers that come later', async () => {
    const { stage, log } = stageOf('P2', () => ({ kind: 'new' }));
    stage.add([item('a')]);
    stage.clear();
    await new Promise(setImmediate);
    expect(log).toEqual(['ask a', 'release a']);
    expect(stage.size).toBe(0);
  });

  it('asks again for a reservation that is past half its time', async () => {
    const { stage, log, ready } = stageOf('P3', () => ({ kind: 'new' }));
    stage.add([item('a')]);
    await ready();
    now += 600;
    stage.renew();
    expect(stage.peek()).toBeUndefined();
    await ready();
    expect(stage.peek()?.message.id).toBe('a');
    expect(log).toEqual(['ask a', 'release a', 'ask a']);
  });

  it('renews by the time an item was reserved for, whatever later ones get', async () => {
    const { stage, log, ready } = stageOf('P3', () => ({ kind: 'new' }));
    stage.add([item('a')]);
    await ready();
    reserveMs = 10_000;
    stage.add([item('b')]);
    await ready();
    now += 600;
    stage.renew();
    expect([stage.peek()?.message.id, stage.peek()?.reservedMs]).toEqual(['b', 10_000]);
    await ready();
    expect(log).toEqual(['ask a', 'ask b', 'release a', 'ask a']);
    reserveMs = 1_000;
  });

  it.each([
    ['P1', 100],
    ['P3', 500],
  ] as const)(
    'asks again for what another owner holds after a moment, not when its reservation ends (%s)',
    async (priority, momentMs) => {
      let held = true;
      const answer = (): ClaimAnswer => (held ? { kind: 'busy', waitMs: 6_000 } : { kind: 'new' });
      const { stage, log, ready } = stageOf(priority, answer);
      stage.add([item('a'), item('b')]);
      await ready();
      held = false; // the release of the old owner arrives
      const startedAt = performance.now();
      await ready();
      expect(performance.now() - startedAt).toBeLessThan(4 * momentMs);
      expect([stage.shift(), stage.shift()].map((i) => i?.message.id)).toEqual(['a', 'b']);
      expect(log).toEqual(['ask a,b', 'ask a,b']);
    },
  );

  it('lets items that wait take no place of those behind them, and wants nothing for them', async () => {
    const busy: ClaimAnswer = { kind: 'busy', waitMs: 6_000 };
    const { stage, ready } = stageOf('P1', (id) => (id.startsWith('held') ? busy : { kind: 'new' }));
    stage.add(Array.from({ length: 64 }, (_, i) => item(`held${i}`)));
    expect([stage.size, stage.pendingCount]).toEqual([64, 64]); // any of them may be ready in a moment
    await ready();
    expect([stage.size, stage.pendingCount, stage.readyUnits, stage.waitingCount]).toEqual([0, 0, 0, 64]);
    stage.add([item('a', true)]);
    expect(stage.size).toBe(1);
    await ready(); // asked again, and still held
    expect([stage.size, stage.pendingCount, stage.waitingCount]).toEqual([1, 0, 64]);
    stage.clear();
    expect([stage.size, stage.waitingCount]).toEqual([0, 0]);
  });

  it('takes no more in when too many wait', async () => {
    const { stage, ready } = stageOf('P3', () => ({ kind: 'busy', waitMs: 20_000 }));
    stage.add(Array.from({ length: 1_050 }, (_, i) => item(`${i}`)));
    await ready();
    expect([stage.size, stage.waitingCount]).toEqual([50, 1_050]);
    stage.clear();
  });

  it('marks what an earlier owner may have sent', async () => {
    const { stage, ready } = stageOf('P2', () => ({ kind: 'takeover' }));
    stage.add([item('a')]);
    await ready();
    expect(stage.peek()?.takenOver).toBe(true);
  });
});
