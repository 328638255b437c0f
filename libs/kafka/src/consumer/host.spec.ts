import { isLoopback, tellsOfPeer, thisHost } from './host.js';

const OWN = ['127.0.0.1', '10.0.0.1', '172.17.0.1'];
const self = { address: '10.0.0.1:3011', host: 'a' };

describe('tellsOfPeer', () => {
  it.each([
    ['a loopback address of this host', '127.0.0.1:3012', 'a', true],
    ['another address of another host', '10.0.0.2:3011', 'b', true],
    ['another address of a host that is not known', '10.0.0.2:3011', undefined, true],
    ['a loopback address of another host', '127.0.0.1:3012', 'b', false],
    ['a loopback address of a host that is not known', 'localhost:3012', undefined, false],
    ['our own address, told by another host', '10.0.0.1:3011', 'b', false],
    ['our own address with another port, told by another host', '10.0.0.1:3012', 'b', false],
    ['an address that a bridge of ours has, too', '172.17.0.1:3011', 'b', false],
  ])('judges %s', (_, address, host, may) => {
    expect(tellsOfPeer(self, { address, host }, OWN)).toBe(may);
  });

  it('takes two hosts that are not known for different ones', () => {
    expect(tellsOfPeer({ address: '127.0.0.1:1' }, { address: '127.0.0.1:2' }, OWN)).toBe(false);
  });
});

describe('isLoopback', () => {
  it.each([
    'localhost',
    'LOCALHOST',
    '127.0.0.1',
    '127.0.1.1',
    '::1',
    '[::1]',
    '::',
    '0.0.0.0',
    '::ffff:127.0.0.1',
  ])('knows %s', (name) => expect(isLoopback(name)).toBe(true));
  it.each(['10.0.0.1', 'pod-1', 'localhosts', '10.127.0.1', 'fe80::1'])('leaves %s alone', (name) =>
    expect(isLoopback(name)).toBe(false),
  );
});

it('thisHost names one host the same at each call', () => {
  expect(thisHost()).toBe(thisHost());
  expect(thisHost()).not.toBe('');
});
