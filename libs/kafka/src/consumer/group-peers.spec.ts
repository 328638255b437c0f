import { createServer, type Server } from 'node:net';
import { AssignerProtocol } from 'kafkajs';
import { silentLogger } from '@commservice/telemetry';
import { until } from '@commservice/testkit';
import { encodeMemberData } from './assigner/member-data.js';
import { GroupPeers } from './group-peers.js';
import { thisHost } from './host.js';

interface Told {
  memberId: string;
  metadata: Buffer;
}

let server: Server;
let address: string;
let looks = 0;
let peers: GroupPeers | undefined;

beforeAll(async () => {
  server = createServer((socket) => (looks++, socket.destroy())).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  address = `127.0.0.1:${(server.address() as { port: number }).port}`;
});
beforeEach(() => (looks = 0));
afterEach(() => peers?.stop());
afterAll(() => server.close());

const told = (memberId: string, at: string, host: string): Told => ({
  memberId,
  metadata: AssignerProtocol.MemberMetadata.encode({
    version: 0,
    topics: ['t'],
    userData: encodeMemberData({ owned: {}, generation: 1, address: at, host }),
  }),
});
const unknown = (memberId: string): Told => ({ memberId, metadata: Buffer.alloc(0) });

/** Member `a` of a group whose broker gives these answers, the last one again and again. */
function memberOf(...answers: Told[][]) {
  let asked = 0;
  const members = (): Promise<Told[]> =>
    Promise.resolve(answers[Math.min(asked++, answers.length - 1)] as Told[]);
  const kafka = { brokers: [], clientId: 'a' };
  peers = new GroupPeers({ kafka, group: 'g', logger: silentLogger, address: '127.0.0.1:1' }, { members }, 1);
  return { peers, asked: () => asked };
}

describe('GroupPeers', () => {
  it('asks again while the group waits for its members, and watches then', async () => {
    const { peers: p, asked } = memberOf([], [unknown('a'), unknown('b')], [told('b', address, thisHost())]);
    await p.assigned('a');
    await until(() => looks > 0, { everyMs: 1, describe: 'a look at b' });
    expect(asked()).toBe(3);
  });

  it('goes on watching while a new generation tells nothing of its members', async () => {
    const { peers: p, asked } = memberOf([told('b', address, thisHost())], [unknown('a'), unknown('b')]);
    await p.assigned('a');
    const asking = p.assigned('a');
    await until(() => asked() > 3, { everyMs: 1, describe: 'asked in the second generation' });
    const before = looks;
    await until(() => looks > before + 1, { everyMs: 1, describe: 'more looks at b' });
    p.stop();
    await asking;
  });

  it('stops asking when the next generation has come', async () => {
    const { peers: p, asked } = memberOf([unknown('b')]);
    const first = p.assigned('a');
    const second = p.assigned('a');
    await first;
    p.stop();
    await second;
    expect(asked()).toBeGreaterThan(1);
  });

  it('looks at no process of its own host for a member of another one', async () => {
    const { peers: p } = memberOf([told('b', address, 'another'), told('c', address, thisHost())]);
    // after `a` comes `b`, which must not be probed; only `c` may be
    await p.assigned('b0');
    await until(() => looks > 0, { everyMs: 1, describe: 'a look at c' });
    p.stop();
    looks = 0;
    const { peers: q } = memberOf([told('b', address, 'another')], [told('c', address, thisHost())]);
    await q.assigned('a');
    expect(looks).toBe(0);
    await q.assigned('a');
    await until(() => looks > 0, { everyMs: 1, describe: 'a look at c' });
    expect(looks).toBe(1);
  });
});
