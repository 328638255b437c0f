import { costFigures } from './cost.js';

const redisCommands = { evalsha: 60, publish: 2, zadd: 38 };

describe('costFigures', () => {
  it('spreads processor and Redis over the messages', () => {
    const cost = costFigures({ cpuSeconds: 0.2, redisCommands }, 100, [1, 3]);
    expect(cost.cpuMsPerMessage).toBe(2);
    expect(cost.redis).toMatchObject({ scriptsPerMessage: 0.6, commandsPerMessage: 1 });
    expect(cost.providerLag).toEqual({ p99: 3, max: 3 });
    expect(cost.coordinator).toBeUndefined();
  });

  it("counts the coordinator's calls and edges apart from all other scripts", () => {
    const pods = { leaseCalls: 8, loopP99Ms: 3, loopMaxMs: 9 };
    const { coordinator, loop } = costFigures({ cpuSeconds: 0.2, redisCommands, pods }, 100, [1]);
    expect(coordinator).toEqual({ perMessage: 0.1, leases: 8, publishes: 2, otherScriptsPerMessage: 0.52 });
    expect(loop).toEqual({ p99: 3, max: 9 });
  });
});
