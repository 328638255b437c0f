import { LagMeter } from './lag-meter.js';

const block = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end;);
};

describe('the lag meter', () => {
  it('knows of a stall while it lasts and right after it', async () => {
    const meter = new LagMeter();
    block(60);
    expect(meter.read()).toBeGreaterThanOrEqual(50);
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(meter.read()).toBeGreaterThanOrEqual(50);
    meter.stop();
  });
});
