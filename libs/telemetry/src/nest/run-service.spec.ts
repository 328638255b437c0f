import { Controller, Get, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { context, diag, metrics, trace } from '@opentelemetry/api';
import { EventEmitter, once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import {
  Readiness,
  runService,
  silentLogger,
  startTelemetry,
  type ServicePlan,
  type ServiceRuntime,
} from '../index.js';
import { createHttpApp } from './http-app.js';

@Controller('things')
class ThingsController {
  @Get()
  list(): string[] {
    return ['a'];
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

describe('a service over HTTP', () => {
  it('answers health, readiness and metrics beside its own routes', async () => {
    const readiness = new Readiness();
    const telemetry = await startTelemetry({ service: 'things', pod: 'things-0' });
    const metricsText = (): Promise<string> => telemetry.metricsText();
    const app = await createHttpApp(ThingsModule, { logger: silentLogger, readiness, metricsText });
    try {
      await app.init();
      await app.getHttpAdapter().getInstance().ready();
      const get = async (url: string) => app.inject({ method: 'GET', url });

      expect((await get('/things')).json()).toEqual(['a']);
      expect((await get('/health/live')).json()).toEqual({ status: 'live' });

      const starting = await get('/health/ready');
      expect(starting.statusCode).toBe(503);
      expect(starting.json()).toEqual({
        status: 'not-ready',
        checks: [{ name: 'service', ok: false, detail: 'The service is starting.' }],
      });
      readiness.serving();
      expect((await get('/health/ready')).statusCode).toBe(200);

      telemetry.metrics.deliveryLatency.record(0.02, { channel: 'sms', priority: 'P1' });
      telemetry.metrics.claims.add(2, { channel: 'sms', brand: 'alfa', priority: 'P3', result: 'claimed' });
      telemetry.metrics.observe('queueDepth', () => [
        { value: 7, attributes: { channel: 'push', brand: 'beta', priority: 'P2' } },
      ]);
      const scraped = await get('/metrics');
      expect(scraped.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(scraped.body).toContain(
        'commservice_delivery_latency_bucket{channel="sms",priority="P1",le="0.025"} 1',
      );
      expect(scraped.body).toContain(
        'commservice_claims_total{channel="sms",brand="alfa",priority="P3",result="claimed"} 2',
      );
      expect(scraped.body).toContain('commservice_queue_depth{channel="push",brand="beta",priority="P2"} 7');
      expect(scraped.body).not.toMatch(/command|host_name|otel_scope/);
    } finally {
      await app.close();
      await telemetry.shutdown(1_000);
    }
  });
});

/** Stands for the process: signals go in, the exit code comes out. */
class FakeProcess extends EventEmitter {
  readonly complaints: string[] = [];
  readonly stderr = { write: (text: string): void => void this.complaints.push(text) };
  readonly exited = once(this, 'exit-code').then(([code]) => code as number);

  exit(code: number): void {
    this.emit('exit-code', code);
  }
}

/** Apps whose process would be gone by now. */
const left: NestFastifyApplication[] = [];

afterEach(async () => {
  for (const app of left.splice(0)) await app.close();
  for (const api of [metrics, trace, context, diag]) api.disable();
});

const plan = (over: Partial<ServicePlan> = {}): ServicePlan => ({
  pod: 'things-0',
  port: 0,
  module: () => ThingsModule,
  beforeListen: (app) => void left.push(app),
  ...over,
});

async function run(host: FakeProcess, configure: () => ServicePlan): Promise<void> {
  await runService({ service: 'things', configure, process: host, logger: silentLogger });
}

describe('runService', () => {
  it('stops in order at SIGTERM and exits with 0', async () => {
    const order: string[] = [];
    const host = new FakeProcess();
    let runtime: ServiceRuntime | undefined;
    const module = (r: ServiceRuntime) => {
      runtime = r;
      r.onRelease('producer', () => void order.push('release'));
      r.onStop('lane', async () => void order.push(`stop, ${(await r.readiness.report()).status}`));
      return ThingsModule;
    };
    await run(host, () => plan({ module, afterListen: () => void order.push('listening') }));
    expect((await runtime?.readiness.report())?.status).toBe('ready');
    host.emit('SIGTERM');
    expect(await host.exited).toBe(0);
    expect(order).toEqual(['listening', 'stop, not-ready', 'release']);
  });

  it('leaves at once at a second signal', async () => {
    const host = new FakeProcess();
    await run(host, () =>
      plan({
        module: (r) => {
          r.onStop('stuck', () => new Promise(() => undefined));
          return ThingsModule;
        },
        stopDeadlineMs: 200,
      }),
    );
    host.emit('SIGINT');
    host.emit('SIGTERM');
    expect(await host.exited).toBe(1);
  });

  it('exits with 1 when the shutdown passes its deadline', async () => {
    const host = new FakeProcess();
    await run(host, () =>
      plan({
        module: (r) => {
          r.onStop('stuck', () => new Promise(() => undefined));
          return ThingsModule;
        },
        stopDeadlineMs: 20,
      }),
    );
    host.emit('SIGTERM');
    expect(await host.exited).toBe(1);
  });

  it('says what is wrong with the configuration and exits with 78', async () => {
    const host = new FakeProcess();
    const fault = { name: 'PORT', rule: 'is required' };
    await run(host, () => {
      throw Object.assign(new Error('x'), { name: 'ConfigError', faults: [fault] });
    });
    expect(await host.exited).toBe(78);
    expect(host.complaints).toEqual(['things cannot start: PORT is required.\n']);
  });

  it('says that the port is in use, lets go of what it opened, and exits with 1', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const released: string[] = [];
    const host = new FakeProcess();
    try {
      await run(host, () =>
        plan({
          port,
          module: (r) => {
            r.onRelease('pool', () => void released.push('pool'));
            return ThingsModule;
          },
        }),
      );
      expect(await host.exited).toBe(1);
      expect(host.complaints.join('')).toMatch(
        /^things cannot start: port \d+ on 127\.0\.0\.1 is already in use; [^\n]+\n$/,
      );
      expect(released).toEqual(['pool']);
    } finally {
      other.close();
    }
  });

  it('exits with 1 when a module cannot be built', async () => {
    const host = new FakeProcess();
    await run(host, () => plan({ module: () => Promise.reject(new Error('no data keys')) }));
    expect(await host.exited).toBe(1);
    expect(host.complaints).toEqual(['things cannot start: no data keys\n']);
  });

  it('stops in order and exits with 1 when a part reports that it cannot go on', async () => {
    const host = new FakeProcess();
    let runtime: ServiceRuntime | undefined;
    const stopped: string[] = [];
    const module = (r: ServiceRuntime) => {
      runtime = r;
      r.onStop('lane', () => void stopped.push('lane'));
      return ThingsModule;
    };
    await run(host, () => plan({ module }));
    runtime?.fail(new Error('the group is gone'), 'the lane cannot go on');
    expect(await host.exited).toBe(1);
    expect(stopped).toEqual(['lane']);
  });

  it.each(['unhandledRejection', 'uncaughtException'])('exits with 1 at an %s', async (event) => {
    const host = new FakeProcess();
    await run(host, () => plan());
    host.emit(event, new Error('lost'));
    expect(await host.exited).toBe(1);
  });
});

describe('a gauge', () => {
  it('whose reader throws spoils neither the scrape nor another reader', async () => {
    const telemetry = await startTelemetry({ service: 'things', pod: 'things-0' });
    try {
      telemetry.metrics.observe('clockOffset', () => {
        throw new Error('broken reader');
      });
      telemetry.metrics.observe('dependencyUp', () => [{ value: 1, attributes: { dependency: 'kafka' } }]);
      expect(await telemetry.metricsText()).toContain('commservice_dependency_up{dependency="kafka"} 1');
    } finally {
      await telemetry.shutdown(1_000);
    }
  });
});
