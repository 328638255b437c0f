import { START, id, record, rig, settleAll } from '../test/lane-rig.js';

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
