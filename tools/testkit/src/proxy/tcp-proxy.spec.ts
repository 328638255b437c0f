import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { until } from '../until.js';
import { TcpProxy } from './tcp-proxy.js';

/** A server that answers each text with itself after its name. */
async function named(name: string): Promise<{ server: Server; host: string; port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (text) => socket.write(`${name}:${text.toString()}`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

interface Client {
  readonly socket: Socket;
  readonly heard: () => string;
  /** How the connection ended; undefined while it is open. */
  readonly end: () => string | undefined;
}

async function client(port: number): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let text = '';
  let end: string | undefined;
  socket.on('data', (d) => (text += d.toString()));
  socket.on('error', (e: NodeJS.ErrnoException) => (end = e.code));
  socket.on('close', () => (end ??= 'closed'));
  await until(() => !socket.connecting, { everyMs: 1, describe: 'the connection' });
  return { socket, heard: () => text, end: () => end };
}

describe('TcpProxy', () => {
  let a: Awaited<ReturnType<typeof named>>;
  let proxy: TcpProxy;
  const clients: Client[] = [];
  const join = async (): Promise<Client> => {
    const made = await client(proxy.port);
    clients.push(made);
    return made;
  };
  const says = async (c: Client, text: string, answer: string): Promise<number> => {
    const from = performance.now();
    c.socket.write(text);
    await until(() => c.heard().endsWith(answer), { everyMs: 1, describe: () => `heard "${c.heard()}"` });
    return performance.now() - from;
  };

  beforeEach(async () => {
    a = await named('a');
    proxy = await TcpProxy.open(a);
  });
  afterEach(async () => {
    for (const c of clients.splice(0)) c.socket.destroy();
    await proxy.close();
    a.server.close();
  });

  it('passes both ways, and a goodbye', async () => {
    const c = await join();
    await says(c, 'one', 'a:one');
    c.socket.end();
    await until(() => c.end(), { describe: 'the end' });
    expect(c.end()).toBe('closed');
  });

  it('delays each chunk both ways, in order, and no more once it passes again', async () => {
    const c = await join();
    await says(c, '0', 'a:0');
    await proxy.delay(40);
    expect(await says(c, '1', 'a:1')).toBeGreaterThanOrEqual(80);
    c.socket.write('2');
    await proxy.pass();
    await says(c, '3', '3');
    expect(c.heard()).toMatch(/^a:0a:1a:2(a:)?3$/);
    expect(await says(c, '4', 'a:4')).toBeLessThan(40);
  });

  it('keeps connections in a black hole, old and new, and moves what it held afterwards', async () => {
    const old = await join();
    await says(old, 'x', 'a:x');
    await proxy.blackHole();
    const fresh = await join();
    old.socket.write('held');
    fresh.socket.write('held');
    const other = await client(a.port);
    await says(other, 'y', 'a:y');
    other.socket.destroy();
    expect([old.heard(), fresh.heard(), old.end(), fresh.end()]).toEqual(['a:x', '', undefined, undefined]);
    await proxy.pass();
    await until(() => old.heard() === 'a:xa:held' && fresh.heard() === 'a:held', {
      describe: 'what was held',
    });
  });

  it('cuts: existing connections are reset and new ones too, until it passes again', async () => {
    const old = await join();
    await says(old, 'x', 'a:x');
    await proxy.cut();
    await until(() => old.end(), { describe: 'the reset' });
    const fresh = await join();
    await until(() => fresh.end(), { describe: 'the second reset' });
    expect([old.end(), fresh.end()]).toEqual(['ECONNRESET', 'ECONNRESET']);
    await proxy.pass();
    await says(await join(), 'y', 'a:y');
  });

  it('leads to another server when it is retargeted, and resets who was at the first', async () => {
    const b = await named('b');
    const old = await join();
    await says(old, 'x', 'a:x');
    await proxy.retarget(b);
    await until(() => old.end(), { describe: 'the reset' });
    await says(await join(), 'y', 'b:y');
    b.server.close();
    await proxy.retarget(a);
  });

  it('resets a connection to a server that does not run', async () => {
    const gone = await named('gone');
    gone.server.close();
    await proxy.retarget(gone);
    const c = await join();
    await until(() => c.end(), { describe: 'the reset' });
    expect(c.end()).toBe('ECONNRESET');
  });
});
