import { randomInt } from 'node:crypto';
import { CHANNELS } from '@commservice/contracts';
import { untilAllEnded } from '../checks/conservation.js';
import { searchEverywhere } from '../checks/traces-of-text.js';
import { PLANTED } from '../client/messages.js';
import { journey } from '../journey.js';

/** Runs last: it also reads what every other journey left behind. */
journey(
  'no address, text or code stands in any log, metric, topic or table of the run',
  ['ingest-api'],
  async ({ api, platform, sandbox }) => {
    // long enough to stand nowhere by chance
    const code = `${randomInt(10_000_000, 99_999_999)}${randomInt(10_000_000, 99_999_999)}`;
    const content = {
      sms: { text: `Your code ${code}` },
      messenger: { text: `Your code ${code}` },
      push: { title: 'Code', body: code },
      email: { subject: 'Code', text: code },
    };
    const sent = await Promise.all(
      CHANNELS.map((channel) => api.send(channel, 'P1', { content: content[channel] })),
    );
    await untilAllEnded(api, sent, { deadlineMs: 20_000 });

    // refusals of every kind: by the API, by the provider, by the provider for good, as a dead letter
    const bad = [
      { ...api.message('sms', 'P1'), to: { phone: `${PLANTED.phone}99999999` } },
      { ...api.message('email', 'P2'), to: { email: `${PLANTED.email}@` } },
      { ...api.message('push', 'P2'), nope: code },
    ];
    for (const body of bad) expect((await api.post(body)).status).toBe(422);
    await sandbox.configure({
      sms: { refuse: [{ pattern: code, code: 'content_blocked' }] },
      email: { fail: { share: 0.5, status: 500 } },
    });
    const refused = await api.send('sms', 'P2', { content: { text: `Your code ${code}` } });
    const retried = await api.send('email', 'P1', { content: { subject: 'Code', text: code } });
    expect(await untilAllEnded(api, [refused], { deadlineMs: 20_000 })).toEqual({ failed: 1 });
    await sandbox.reset();
    await untilAllEnded(api, [retried], { deadlineMs: 20_000 });

    const { finds, ...searched } = await searchEverywhere(platform, [
      code,
      ...Object.values(PLANTED),
      'Planted title',
      'Planted subject',
      'Refused words',
    ]);
    expect(finds).toEqual([]);
    expect(searched.records).toBeGreaterThan(100);
    expect(searched.rows).toBeGreaterThan(100);
    expect(searched.logBytes).toBeGreaterThan(1_000);
    expect(searched.metricBytes).toBeGreaterThan(1_000);
  },
);
