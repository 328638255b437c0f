import { readOptions, stackEnv } from './config.js';
import { BENCH_APPS } from './platform/app-names.js';

describe('npm start', () => {
  it('runs no pod that is for benches only', () => {
    const { apps } = readOptions({}, []);
    expect(apps.filter((app) => BENCH_APPS.some((bench) => bench === app))).toEqual([]);
    expect(apps).toContain('sms-2');
  });

  it('takes a port from the environment, and asks for none of those pods', () => {
    const { ports } = readOptions({ SMS_2_PORT: '4111' }, []);
    expect([ports['sms-2'], ports['sms-3'], ports['sms-4']]).toEqual([4111, 3211, 3311]);
    expect(Object.keys(stackEnv.shape)).not.toContain('SMS_3_PORT');
  });
});
