import { refusalToStart } from './production.js';

describe('production', () => {
  it('is refused unless it is allowed by name', () => {
    expect(refusalToStart({ NODE_ENV: 'production' })).toMatch(/SANDBOX_ALLOW_PRODUCTION/);
    expect(refusalToStart({ NODE_ENV: 'production', SANDBOX_ALLOW_PRODUCTION: 'yes' })).toBeDefined();
    expect(refusalToStart({ NODE_ENV: 'production', SANDBOX_ALLOW_PRODUCTION: '1' })).toBeUndefined();
    expect(refusalToStart({})).toBeUndefined();
  });
});
