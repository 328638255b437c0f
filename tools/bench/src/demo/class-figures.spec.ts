import { ClassFigures } from './class-figures.js';
import type { SeenCall } from './sandbox-feed.js';

const call = (id: string, atMs: number, outcome = 'accepted'): SeenCall => ({
  id,
  atMs,
  outcome,
  priority: 'P1',
  units: 1,
  account: 'sms-a',
  kind: 'message', // prettier-ignore
});

describe('ClassFigures', () => {
  it('measures from acceptance to the call, in whichever order the two become known', () => {
    const figures = new ClassFigures();
    figures.took('a', 1_000);
    figures.saw(call('a', 1_010));
    figures.saw(call('b', 2_030));
    figures.took('b', 2_000);
    expect(figures.latency).toMatchObject({ n: 2, p50: 10, max: 30 });
  });

  it('counts what waits, and no call that was not accepted', () => {
    const figures = new ClassFigures();
    figures.took('a', 1_000);
    figures.took('b', 1_000);
    figures.saw(call('a', 1_001, 'failed'));
    expect([figures.accepted, figures.sent, figures.backlog]).toEqual([2, 0, 2]);
  });
});
