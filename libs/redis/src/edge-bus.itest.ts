import { logSink, ownServers, redisPrefix, until, type OwnServers } from '@commservice/testkit';
import { EdgeBus } from './edge-bus.js';
import type { RedisConnectionOptions } from './options.js';

describe('EdgeBus', () => {
  let servers: OwnServers;
  const open: EdgeBus[] = [];

  const bus = (keyPrefix: string, over: Partial<RedisConnectionOptions> = {}): EdgeBus => {
    const made = new EdgeBus({
      url: servers.address('redis'),
      keyPrefix,
      name: 'edges',
      stallMs: 200,
      pingMs: 50,
      reconnect: { minMs: 10, maxMs: 50 },
      ...over,
    });
    open.push(made);
    return made;
  };

  /** Publishes until it is heard: an edge is a hint, and one published before the subscription holds is lost. */
  const heard = (from: EdgeBus, texts: string[], text: string): Promise<unknown> =>
    until(
      async () => {
        await from.publish('edge', text);
        return texts.includes(text);
      },
      { describe: `"${text}" to be heard` },
    );

  beforeAll(async () => {
    servers = await ownServers(['redis']);
  });
  afterEach(() => Promise.all(open.splice(0).map((b) => b.close(500))));
  afterAll(() => servers.close());

  it('delivers an edge to every subscriber of its channel and prefix, its publisher too, and to nobody else', async () => {
    const prefix = redisPrefix();
    const [a, b, stranger] = [bus(prefix), bus(prefix), bus(redisPrefix())];
    const texts: Record<'a' | 'b' | 'stranger' | 'other', string[]> = {
      a: [],
      b: [],
      stranger: [],
      other: [],
    };
    a.subscribe('edge', (t) => texts.a.push(t));
    b.subscribe('edge', (t) => texts.b.push(t));
    b.subscribe('other', (t) => texts.other.push(t));
    stranger.subscribe('edge', (t) => texts.stranger.push(t));
    await Promise.all([heard(a, texts.b, 'hello'), heard(a, texts.a, 'hello')]);
    expect([texts.stranger, texts.other]).toEqual([[], []]);
  });

  it('stops delivering after the undo, and keeps the channel for its other listeners', async () => {
    const one = bus(redisPrefix());
    const [gone, stays]: [string[], string[]] = [[], []];
    const undo = one.subscribe('edge', (t) => gone.push(t));
    one.subscribe('edge', (t) => stays.push(t));
    await heard(one, stays, '1');
    undo();
    undo();
    await heard(one, stays, '2');
    expect(gone).not.toContain('2');
  });

  it('goes on when a listener throws', async () => {
    const sink = logSink();
    const one = bus(redisPrefix(), { logger: sink.logger });
    const texts: string[] = [];
    one.subscribe('edge', () => {
      throw new Error('listener');
    });
    one.subscribe('edge', (t) => texts.push(t));
    await heard(one, texts, 'x');
    expect(sink.at('error').length).toBeGreaterThan(0);
  });

  it('drops an edge while Redis is away, and hears again after a kill, also what was subscribed meanwhile', async () => {
    const one = bus(redisPrefix());
    const [before, during]: [string[], string[]] = [[], []];
    one.subscribe('edge', (t) => before.push(t));
    await heard(one, before, '1');
    await servers.kill('redis');
    await until(() => !one.ready, { describe: 'the loss to be noticed' });
    await one.publish('edge', 'lost');
    one.subscribe('edge', (t) => during.push(t));
    one.subscribe('edge2', (t) => during.push(t));
    await servers.start('redis');
    await heard(one, before, '2');
    await heard(one, during, '2');
    await until(
      async () => {
        await one.publish('edge2', 'late channel');
        return during.includes('late channel');
      },
      { describe: 'the channel subscribed while away' },
    );
    expect(before).not.toContain('lost');
  });

  it('notices a frozen server although it only listens, and hears again afterwards', async () => {
    const prefix = redisPrefix();
    const [listener, publisher] = [bus(prefix), bus(prefix)];
    const texts: string[] = [];
    listener.subscribe('edge', (t) => texts.push(t));
    await heard(publisher, texts, '1');
    servers.pause('redis');
    try {
      await until(() => !listener.ready, { describe: 'the stall to be noticed' });
    } finally {
      servers.resume('redis');
    }
    await heard(publisher, texts, '2');
  });
});
