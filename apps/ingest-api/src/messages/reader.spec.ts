import type { StoredMessage } from '@commservice/postgres';
import { IngestHarness, sms } from '../../test/ingest-harness.js';

let api: IngestHarness;
beforeEach(async () => {
  api = await (await new IngestHarness().start()).ready();
});
afterEach(() => api.stop());

const NOW = Date.UTC(2026, 10, 30);
const stored = (more: Partial<StoredMessage> = {}): StoredMessage => ({
  id: api.ids.create('demo', NOW),
  team: 'demo',
  channel: 'sms',
  brand: 'alfa',
  category: 'otp',
  priority: 'P1',
  kind: 'message',
  status: 'delivered',
  statusAt: NOW + 500,
  generation: 0,
  reference: 'login-1',
  acceptedAt: NOW,
  account: 'sms-a',
  ...more,
});
function store(more?: Partial<StoredMessage>): StoredMessage {
  const message = stored(more);
  api.store.messages.set(message.id, message);
  return message;
}

describe('GET /v1/messages/{id}', () => {
  it('answers 200 right after the 202, before anything is projected', async () => {
    const { json } = await api.call('POST', '/v1/messages', sms());
    const reply = await api.call('GET', json.links.self);
    expect([reply.status, reply.json]).toEqual([
      200,
      { id: json.id, status: 'accepted', acceptedAt: json.acceptedAt, links: json.links },
    ]);
    const events = await api.call('GET', json.links.events);
    expect(events.json).toEqual({
      id: json.id,
      events: [{ status: 'accepted', at: json.acceptedAt, generation: 0 }],
    });
  });

  it('tells where a projected message stands', async () => {
    const { id } = store();
    const reply = await api.call('GET', `/v1/messages/${id}`);
    expect(reply.json).toMatchObject({
      id,
      status: 'delivered',
      priority: 'P1',
      reference: 'login-1',
      updatedAt: '2026-11-30T00:00:00.500Z',
    });
    expect((await api.call('GET', `/v1/messages/${id}/events`)).json.events).toHaveLength(1);
  });

  it("answers 404 for another team's message and for ids we never made", async () => {
    const other = api.ids.create('others', NOW);
    api.store.messages.set(other, stored({ id: other, team: 'others' }));
    const mine = api.ids.create('demo', NOW);
    const forged = mine.slice(0, -1) + (mine.endsWith('0') ? '1' : '0');
    for (const id of [other, forged, 'x', '%00', '..']) {
      for (const suffix of ['', '/events'])
        expect((await api.call('GET', `/v1/messages/${id}${suffix}`)).status).toBe(404);
    }
  });

  it('answers 503 while the read model is down', async () => {
    const { id } = store();
    api.store.down = true;
    const reply = await api.call('GET', `/v1/messages/${id}`);
    expect([reply.status, reply.type, reply.headers['retry-after']]).toEqual([
      503,
      'application/problem+json; charset=utf-8',
      '2',
    ]);
  });
});

describe('GET /v1/messages', () => {
  it("finds the team's messages by reference", async () => {
    const { id } = store();
    store({ team: 'others' });
    const reply = await api.call('GET', '/v1/messages?reference=login-1');
    expect(reply.json.messages.map((m) => m.id)).toEqual([id]);
  });

  it.each([
    'status=nonsense',
    'limit=0',
    'limit=201',
    'limit=x',
    'traceId=1',
    'foo=1',
    'cursor=bad',
    'reference=a&reference=b',
  ])('refuses ?%s and names the field', async (query) => {
    const reply = await api.call('GET', `/v1/messages?${query}`);
    expect([reply.status, reply.json.errors[0]?.pointer]).toEqual([422, `/${query.split('=')[0]}`]);
  });
});
