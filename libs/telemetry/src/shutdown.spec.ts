import { silentLogger } from './logger.js';
import { Readiness } from './readiness.js';
import { Shutdown } from './shutdown.js';
import { explainStartFault } from './start-fault.js';

const never = new Promise<void>(() => undefined);

describe('Shutdown', () => {
  it('runs stop hooks, then HTTP, then release hooks, each last added first', async () => {
    const order: string[] = [];
    const shutdown = new Shutdown(silentLogger);
    for (const name of ['a', 'b']) {
      shutdown.add('release', `release-${name}`, () => void order.push(`release-${name}`));
      shutdown.add('stop', `stop-${name}`, () => void order.push(`stop-${name}`));
    }
    const result = await shutdown.run(1_000, () => void order.push('http'));
    expect(order).toEqual(['stop-b', 'stop-a', 'http', 'release-b', 'release-a']);
    expect(result).toEqual({ kind: 'stopped', failed: [] });
  });

  it('goes on after a hook that fails, and names it', async () => {
    const ran: string[] = [];
    const shutdown = new Shutdown(silentLogger);
    shutdown.add('stop', 'last', () => void ran.push('last'));
    shutdown.add('stop', 'broken', () => Promise.reject(new Error('x')));
    expect(await shutdown.run(1_000, () => undefined)).toEqual({ kind: 'stopped', failed: ['broken'] });
    expect(ran).toEqual(['last']);
  });

  it('gives up at the deadline, tells the hook by its signal, and names the step', async () => {
    let aborted = false;
    const shutdown = new Shutdown(silentLogger);
    shutdown.add('stop', 'stuck', (signal) => {
      signal.addEventListener('abort', () => (aborted = true));
      return never;
    });
    expect(await shutdown.run(5, () => undefined)).toEqual({ kind: 'deadline-exceeded', step: 'stuck' });
    expect(aborted).toBe(true);
  });

  it('runs once, however often it is asked', async () => {
    let runs = 0;
    const shutdown = new Shutdown(silentLogger);
    shutdown.add('stop', 'count', () => void runs++);
    await Promise.all([shutdown.run(1_000, () => undefined), shutdown.run(1_000, () => undefined)]);
    expect(runs).toBe(1);
    expect(shutdown.begun).toBe(true);
  });
});

describe('Readiness', () => {
  it('is ready only while serving, with every probe ok', async () => {
    const readiness = new Readiness();
    let ok = true;
    readiness.register({
      name: 'kafka',
      check: () => ({ ok, detail: ok ? 'Connected.' : 'No broker answers.' }),
    });
    expect((await readiness.report()).status).toBe('not-ready');
    readiness.serving();
    expect((await readiness.report()).status).toBe('ready');
    ok = false;
    expect(await readiness.report()).toEqual({
      status: 'not-ready',
      checks: [
        { name: 'service', ok: true, detail: 'The service is running.' },
        { name: 'kafka', ok: false, detail: 'No broker answers.' },
      ],
    });
  });

  it('never becomes ready again once it is stopping', async () => {
    const readiness = new Readiness();
    readiness.stopping();
    readiness.serving();
    expect((await readiness.report()).status).toBe('not-ready');
  });

  it('counts a probe that throws or does not answer as not ok, without its message', async () => {
    const readiness = new Readiness(5);
    readiness.serving();
    readiness.register({
      name: 'throws',
      check: () => {
        throw new RangeError('+447700900123');
      },
    });
    readiness.register({ name: 'hangs', check: () => new Promise(() => undefined) });
    expect((await readiness.report()).checks.slice(1)).toEqual([
      { name: 'throws', ok: false, detail: 'The check failed (RangeError).' },
      { name: 'hangs', ok: false, detail: 'No answer within 5 ms.' },
    ]);
  });

  it('forgets a probe that was removed', async () => {
    const readiness = new Readiness();
    readiness.serving();
    const remove = readiness.register({ name: 'x', check: () => ({ ok: false, detail: 'No.' }) });
    remove();
    expect((await readiness.report()).status).toBe('ready');
  });
});

describe('explainStartFault', () => {
  it('turns each configuration fault into one sentence and exits with 78', () => {
    const error = Object.assign(new Error('x'), {
      name: 'ConfigError',
      faults: [
        { name: 'PORT', rule: 'must be a whole number from 0 to 65535' },
        { name: 'MASTER_KEY', rule: 'is required' },
      ],
    });
    expect(explainStartFault('ingest-api', error)).toEqual({
      sentences: [
        'ingest-api cannot start: PORT must be a whole number from 0 to 65535.',
        'ingest-api cannot start: MASTER_KEY is required.',
      ],
      exitCode: 78,
      known: true,
    });
  });

  it('names a port that is in use', () => {
    const error = Object.assign(new Error('listen'), { code: 'EADDRINUSE' });
    const fault = explainStartFault('ingest-api', error, { host: '127.0.0.1', port: 3000 });
    expect(fault).toMatchObject({ exitCode: 1, known: true });
    expect(fault.sentences).toEqual([
      'ingest-api cannot start: port 3000 on 127.0.0.1 is already in use; stop the other process or set PORT.',
    ]);
  });

  it('masks addresses in any other fault', () => {
    expect(explainStartFault('x', new Error('for +447700900123')).sentences).toEqual([
      'x cannot start: for [number]',
    ]);
  });
});
