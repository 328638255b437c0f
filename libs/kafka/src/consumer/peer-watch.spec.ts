import { createServer } from 'node:net';
import { silentLogger } from '@commservice/telemetry';
import { until } from '@commservice/testkit';
import { PeerWatch, tcpSign, type Peer, type Sign } from './peer-watch.js';

const peer = (memberId: string): Peer => ({ memberId, address: `${memberId}:1` });

function watching(signs: (address: string) => Sign) {
  const looks: string[] = [];
  const evicted: string[] = [];
  let failures = 0;
  const watch = new PeerWatch({
    group: 'g',
    logger: silentLogger,
    everyMs: 1,
    probe: (address) => {
      looks.push(address);
      return Promise.resolve(signs(address));
    },
    evict: (memberId) => {
      if (failures-- > 0) return Promise.reject(new Error('no coordinator'));
      evicted.push(memberId);
      return Promise.resolve();
    },
  });
  const looked = (n: number) => until(() => looks.length >= n, { everyMs: 1, describe: `${n} looks` });
  return { watch, looks, evicted, looked, failNext: (n: number) => (failures = n) };
}

describe('PeerWatch', () => {
  it('takes out a member that was reached and then is refused twice, once', async () => {
    let sign: Sign = 'alive';
    const { watch, looks, evicted, looked } = watching(() => sign);
    watch.members('a', [peer('a'), peer('b')]);
    await looked(2);
    sign = 'refused';
    await looked(looks.length + 10);
    watch.stop();
    expect(evicted).toEqual(['b']);
  });

  it('leaves a member alone that never was reached, and one that is silent', async () => {
    let sign: Sign = 'refused';
    const { watch, looks, evicted, looked } = watching(() => sign);
    watch.members('a', [peer('b')]);
    await looked(10);
    sign = 'alive';
    await looked(looks.length + 2);
    sign = 'silent';
    await looked(looks.length + 10);
    watch.stop();
    expect(evicted).toEqual([]);
  });

  it('leaves a member alone that was refused once', async () => {
    let n = 0;
    const { watch, evicted, looked } = watching(() => (n++ % 2 === 0 ? 'alive' : 'refused'));
    watch.members('a', [peer('b')]);
    await looked(20);
    watch.stop();
    expect(evicted).toEqual([]);
  });

  it('tries again when the group did not answer', async () => {
    let sign: Sign = 'alive';
    const { watch, looks, evicted, looked, failNext } = watching(() => sign);
    watch.members('a', [peer('b')]);
    await looked(1);
    failNext(2);
    sign = 'refused';
    await looked(looks.length + 10);
    watch.stop();
    expect(evicted).toEqual(['b']);
  });

  it('remembers across rebalances who was reached', async () => {
    let sign: Sign = 'alive';
    const { watch, looks, evicted, looked } = watching(() => sign);
    watch.members('a', [peer('b')]);
    await looked(2);
    watch.members('a', [peer('b'), peer('c')]);
    sign = 'refused';
    await looked(looks.length + 5);
    watch.stop();
    expect(evicted).toEqual(['b']);
  });

  it('gives each member one watcher: the one before it', async () => {
    const members = ['a', 'b', 'c', 'd'].map(peer);
    const watched = await Promise.all(
      members.map(async ({ memberId }) => {
        const { watch, looks, looked } = watching(() => 'alive');
        watch.members(memberId, members);
        await looked(1);
        watch.stop();
        return looks[0];
      }),
    );
    expect(watched).toEqual(['b:1', 'c:1', 'd:1', 'a:1']);
  });

  it('does not look at itself', () => {
    const { watch, looks } = watching(() => 'alive');
    watch.members('a', [peer('a')]);
    watch.stop();
    expect(looks).toEqual([]);
  });
});

describe('tcpSign', () => {
  it('tells a process that listens from one that does not', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = `127.0.0.1:${(server.address() as { port: number }).port}`;
    expect(await tcpSign(address)).toBe('alive');
    await new Promise((resolve) => server.close(resolve));
    expect(await tcpSign(address)).toBe('refused');
  });

  it('takes an address that nobody can reach for silence', async () => {
    expect(await tcpSign('nobody.invalid:1')).toBe('silent');
  });
});
