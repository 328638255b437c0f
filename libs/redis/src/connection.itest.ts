import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePorts } from '@commservice/tools-stack';
import { logSink, ownServers, redisPrefix, until, type OwnServers } from '@commservice/testkit';
import { RedisConnection } from './connection.js';
import type { RedisConnectionOptions } from './options.js';
import { ANY_KEYS, type LuaScript } from './script.js';

const ECHO: LuaScript = { name: 'echo', keys: 1, source: 'return {KEYS[1], ARGV[1]}' };
describe('RedisConnection', () => {
  let servers: OwnServers;
  const open: RedisConnection[] = [];

  const connection = (over: Partial<RedisConnectionOptions> = {}): RedisConnection => {
    const made = new RedisConnection({
      url: servers.address('redis'),
      keyPrefix: redisPrefix(),
      name: 'test',
      stallMs: 300,
      reconnect: { minMs: 10, maxMs: 50 },
      ...over,
    });
    open.push(made);
    return made;
  };
  const ready = async (over: Partial<RedisConnectionOptions> = {}): Promise<RedisConnection> => {
    const made = connection(over);
    expect(await made.start(5000)).toBe(true);
    return made;
  };

  beforeAll(async () => {
    servers = await ownServers(['redis']);
  });
  afterEach(() => Promise.all(open.splice(0).map((c) => c.close(500))));
  afterAll(() => servers.close());

  it('runs a script the server has never seen, with prefixed keys', async () => {
    const redis = await ready({ keyPrefix: 'p:' });
    const script = { ...ECHO, source: `${ECHO.source} -- ${Math.random()}` };
    for (let i = 0; i < 2; i++) {
      expect(await redis.run(script, ['k'], ['v'], 1000)).toEqual({ kind: 'answer', value: ['p:k', 'v'] });
    }
  });

  it('takes any number of keys for a script that says so, and else only its own', async () => {
    const redis = await ready({ keyPrefix: '' });
    const count: LuaScript = { name: 'count', keys: ANY_KEYS, source: 'return #KEYS' };
    expect(await redis.run(count, ['a', 'b', 'c'], [], 1000)).toEqual({ kind: 'answer', value: 3 });
    expect(await redis.run(ECHO, ['a', 'b'], [], 1000)).toEqual({
      kind: 'no-answer',
      reason: 'script-error',
    });
  });

  it('answers plain commands', async () => {
    const redis = await ready();
    expect(await redis.get('x')).toEqual({ kind: 'answer', value: null });
    expect(await redis.set('x', '1', 60_000)).toEqual({ kind: 'answer', value: true });
    expect(await redis.get('x')).toEqual({ kind: 'answer', value: '1' });
    expect(await redis.del(['x', 'y'])).toEqual({ kind: 'answer', value: 1 });
    const time = await redis.time();
    if (time.kind !== 'answer') throw new Error(time.reason);
    expect(Math.abs(time.value - Date.now())).toBeLessThan(1000);
  });

  it('has no answer at once while it is not connected, connects by itself, and none after close', async () => {
    const redis = connection();
    expect(await redis.get('x')).toEqual({ kind: 'no-answer', reason: 'not-connected' });
    await until(() => redis.ready, { describe: 'the connection' });
    await redis.close(500);
    expect(await redis.get('x')).toEqual({ kind: 'no-answer', reason: 'closed' });
    expect(await redis.start(50)).toBe(false);
  });

  it('reports a wrong script as such, and logs it', async () => {
    const sink = logSink();
    const redis = await ready({ logger: sink.logger });
    const wrong: LuaScript = { name: 'wrong', keys: 0, source: 'return nonsense.field' };
    expect(await redis.run(wrong, [], [], 1000)).toEqual({ kind: 'no-answer', reason: 'script-error' });
    expect(sink.at('error')).toHaveLength(1);
  });

  it('keeps its deadline on a frozen server, leaves the dead socket, and answers again afterwards', async () => {
    const redis = await ready();
    const changes: boolean[] = [];
    redis.onReadyChange((now) => changes.push(now));
    servers.pause('redis');
    try {
      const startedAt = performance.now();
      expect(await redis.get('x', 40)).toEqual({ kind: 'no-answer', reason: 'deadline' });
      expect(performance.now() - startedAt).toBeLessThan(150);
      await until(() => !redis.ready, { describe: 'the stall to be noticed' });
      expect(await redis.get('x')).toEqual({ kind: 'no-answer', reason: 'not-connected' });
    } finally {
      servers.resume('redis');
    }
    await until(() => redis.ready, { describe: 'the connection' });
    expect(await redis.get('x', 1000)).toEqual({ kind: 'answer', value: null });
    expect(changes).toEqual([false, true]);
  });

  it('takes an answer that came while this process was too busy to see its deadline pass', async () => {
    const redis = await ready();
    const answer = redis.get('nothing', 20);
    const until = performance.now() + 200;
    while (performance.now() < until);
    expect(await answer).toEqual({ kind: 'answer', value: null });
  });

  it('keeps a healthy socket although this process was busy for longer than a stall', async () => {
    const changes: boolean[] = [];
    const redis = await ready({ stallMs: 50 });
    redis.onReadyChange((now) => changes.push(now));
    const answers = [redis.get('nothing', 1000)];
    for (let i = 0; i < 5; i++) {
      const until = performance.now() + 120;
      while (performance.now() < until);
      answers.push(redis.get('nothing', 1000));
      await new Promise(setImmediate);
    }
    expect((await Promise.all(answers)).map((a) => a.kind)).toEqual(answers.map(() => 'answer'));
    expect(changes).toEqual([]);
  });

  it('leaves a socket that swallows its handshake, and connects anew', async () => {
    let swallow = true;
    const [, port] = new URL(servers.address('redis')).host.split(':');
    const front = createServer((socket) => {
      socket.on('error', () => undefined);
      if (swallow) return void socket.resume();
      const back = connect(Number(port), '127.0.0.1').on('error', () => undefined);
      socket.pipe(back).pipe(socket);
    });
    const [frontPort] = (await freePorts(1)) as [number];
    await new Promise<void>((resolve) => front.listen(frontPort, '127.0.0.1', resolve));
    const redis = connection({ url: `redis://127.0.0.1:${frontPort}`, stallMs: 50 });
    expect(await redis.start(300)).toBe(false);
    swallow = false;
    expect(await redis.start(5000)).toBe(true);
    await redis.close(500);
    front.close();
  });

  it('never writes more than its bound on a silent socket', async () => {
    const redis = await ready({ maxUnanswered: 5, stallMs: 60_000 });
    servers.pause('redis');
    try {
      const answers = await Promise.all(Array.from({ length: 8 }, () => redis.get('x', 20)));
      const reasons = answers.map((a) => (a.kind === 'no-answer' ? a.reason : a.kind));
      expect(reasons).toEqual([...Array<string>(5).fill('deadline'), ...Array<string>(3).fill('overloaded')]);
      expect(await redis.get('x', 20)).toEqual({ kind: 'no-answer', reason: 'overloaded' });
    } finally {
      servers.resume('redis');
    }
    await until(async () => (await redis.get('x')).kind === 'answer', { describe: 'room again' });
  });

  it('survives a killed server: calls fail fast, then work again', async () => {
    const redis = await ready();
    await servers.kill('redis');
    await until(() => !redis.ready, { describe: 'the loss to be noticed' });
    expect(await redis.get('x')).toEqual({ kind: 'no-answer', reason: 'not-connected' });
    await servers.start('redis');
    await until(() => redis.ready, { describe: 'the connection' });
    expect(await redis.run(ECHO, ['k'], ['v'], 1000)).toMatchObject({ kind: 'answer' });
  });

  it('tells a call that its connection was lost, without waiting for its deadline', async () => {
    const [port] = (await freePorts(1)) as [number];
    const sockets: Socket[] = [];
    // Greets like a server and then swallows what it gets.
    const server: Server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        const text = data.toString().toLowerCase();
        if (text.includes('hello')) socket.write('%1\r\n+server\r\n+redis\r\n');
        if (text.includes('setname')) socket.write('+OK\r\n');
        if (text.includes('info')) socket.write('$9\r\nloading:0\r\n');
      });
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    try {
      const redis = await ready({ url: `redis://127.0.0.1:${port}` });
      const answer = redis.get('x', 60_000);
      sockets.forEach((s) => s.destroy());
      expect(await answer).toEqual({ kind: 'no-answer', reason: 'connection-lost' });
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
