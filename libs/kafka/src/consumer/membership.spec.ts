import { Membership } from './membership.js';

const SESSION_MS = 6_000;

function member() {
  let now = 1_000;
  const membership = new Membership({ now: () => now, monotonic: () => now }, SESSION_MS);
  return { membership, pass: (ms: number) => (now += ms) };
}

describe('Membership', () => {
  it('is not fresh before the group answered', () => {
    expect(member().membership.fresh).toBe(false);
  });

  it('is fresh for one session after an answered heartbeat left', () => {
    const { membership, pass } = member();
    membership.answered({ apiName: 'Heartbeat', duration: 2 });
    membership.heartbeat();
    pass(SESSION_MS - 3);
    expect(membership.fresh).toBe(true);
    pass(1);
    expect(membership.fresh).toBe(false);
  });

  it.each([
    ['Heartbeat', 'heartbeat'],
    ['SyncGroup', 'joined'],
  ] as const)('is stale when the answer of a %s was read after the session', (apiName, meant) => {
    const { membership, pass } = member();
    pass(10_000); // frozen between the send and the answer
    membership.answered({ apiName, duration: 10_000 });
    membership[meant]();
    expect(membership.fresh).toBe(false);
  });

  it('takes no other request, and no refused heartbeat, for a sign', () => {
    const { membership, pass } = member();
    membership.answered({ apiName: 'SyncGroup', duration: 0 });
    membership.joined();
    pass(SESSION_MS);
    membership.answered({ apiName: 'Fetch', duration: 0 });
    membership.answered({ apiName: 'Heartbeat', duration: 0 }); // refused: no `heartbeat` follows
    expect(membership.fresh).toBe(false);
  });

  it('is fresh while the group waits for its members, and not from the answer of its join to its assignment', () => {
    const { membership, pass } = member();
    membership.answered({ apiName: 'Heartbeat', duration: 0 });
    membership.heartbeat();
    pass(1_000); // the join is in the air
    expect(membership.fresh).toBe(true);
    membership.answered({ apiName: 'JoinGroup', duration: 1_000 });
    expect(membership.fresh).toBe(false);
    membership.answered({ apiName: 'SyncGroup', duration: 1 });
    membership.joined();
    expect(membership.fresh).toBe(true);
  });

  it('is fresh again when a join led to nothing and the broker goes on counting us', () => {
    const { membership } = member();
    membership.answered({ apiName: 'JoinGroup', duration: 0 });
    membership.answered({ apiName: 'Heartbeat', duration: 0 });
    membership.heartbeat();
    expect(membership.fresh).toBe(false);
    membership.unchanged();
    expect(membership.fresh).toBe(true);
  });

  it('is not dated into the future by a wall clock that was set back', () => {
    const { membership, pass } = member();
    membership.answered({ apiName: 'Heartbeat', duration: -60_000 });
    membership.heartbeat();
    pass(SESSION_MS);
    expect(membership.fresh).toBe(false);
  });
});
