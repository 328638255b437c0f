import { publishOptions, RABBIT_QUEUE } from './rabbit-settings.js';

describe('RabbitMQ settings', () => {
  it('puts P1 before P2 before P3, all within the levels of the queue', () => {
    const [p1, p2, p3] = (['P1', 'P2', 'P3'] as const).map((p) => publishOptions(p).priority as number);
    expect([p1, p2, p3]).toEqual([3, 2, 1]);
    expect(RABBIT_QUEUE.maxPriority).toBe(p1);
  });
});
