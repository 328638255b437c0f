import { SandboxConfig, configChangeSchema } from './config.js';

describe('the configuration', () => {
  it('starts with the accounts of the development catalogue', () => {
    const config = new SandboxConfig();
    expect(config.of('sms', 'sms-a').ratePerSecond).toBe(200);
    expect(config.of('push', 'push-beta').ratePerSecond).toBe(1000);
    expect(config.of('email', 'other')).toMatchObject({
      ratePerSecond: null,
      latencyMs: 20,
      idempotent: true,
    });
  });

  it("lets a channel's values override the defaults and an account's own override both", () => {
    const config = new SandboxConfig({ 'sms-a': { ratePerSecond: 200 } });
    config.change({ sms: { ratePerSecond: null, latencyMs: 5, fail: { share: 0.5 } } });
    config.change({ 'sms-a': { fail: { status: 503 } } });
    expect(config.of('sms', 'sms-a')).toMatchObject({
      ratePerSecond: 200,
      latencyMs: 5,
      fail: { share: 0.5, status: 503 },
    });
    expect(config.of('sms', 'sms-b')).toMatchObject({
      ratePerSecond: null,
      fail: { share: 0.5, status: 500 },
    });
    expect(config.of('push', 'push-alfa').latencyMs).toBe(20);
  });

  it('merges deeply, keeps what a change does not name, and replaces lists', () => {
    const config = new SandboxConfig();
    config.change({ 'sms-a': { receipts: { delayMs: 1 }, refuse: [{ pattern: 'a', code: 'x' }] } });
    config.change({ 'sms-a': { receipts: { deliveredShare: 0 }, refuse: [{ pattern: 'b', code: 'y' }] } });
    const { receipts, refuse, ratePerSecond } = config.of('sms', 'sms-a');
    expect({ receipts, refuse, ratePerSecond }).toEqual({
      receipts: { delayMs: 1, deliveredShare: 0 },
      refuse: [{ pattern: 'b', code: 'y' }],
      ratePerSecond: 200,
    });
  });

  it('takes null for unlimited', () => {
    const config = new SandboxConfig();
    config.change({ 'sms-a': { ratePerSecond: null } });
    expect(config.of('sms', 'sms-a').ratePerSecond).toBeNull();
  });

  it('goes back to its start', () => {
    const config = new SandboxConfig();
    config.change({ 'sms-a': { ratePerSecond: 7 } });
    config.reset();
    expect(config.of('sms', 'sms-a').ratePerSecond).toBe(200);
  });

  it('shows an account with the values of its channel', () => {
    const config = new SandboxConfig();
    config.change({ sms: { latencyMs: 9 } });
    expect(config.effective()['sms-a']).toMatchObject({ latencyMs: 9, ratePerSecond: 200 });
    expect(config.effective().sms).toMatchObject({ latencyMs: 9, ratePerSecond: null });
  });

  it.each([
    { sms: { rate: 5 } },
    { sms: { latencyMs: -1 } },
    { sms: { fail: { share: 2 } } },
    { sms: { refuse: [{ pattern: '(', code: 'x' }] } },
    [],
  ])('refuses %j', (change) => {
    expect(configChangeSchema.safeParse(change).success).toBe(false);
  });
});
