import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { CallLog } from './call-log.js';
import { configChangeSchema, type SandboxConfig } from './config.js';
import type { Handset } from './handset.js';
import { reply } from './reply.js';

/** What tests and judges steer and read: `/control/config` and `/control/calls`. */
export class ControlRoute {
  constructor(
    private readonly config: SandboxConfig,
    private readonly log: CallLog,
    private readonly handset: Handset,
  ) {}

  handle(method: string, url: URL, body: Buffer, res: ServerResponse): void {
    const route = `${method} ${url.pathname}`;
    switch (route) {
      case 'GET /control/config':
        return reply(res, 200, this.config.effective());
      case 'PUT /control/config':
        return this.change(body, res);
      case 'DELETE /control/config':
        this.config.reset();
        return reply(res, 200, this.config.effective());
      case 'GET /control/calls':
        return void this.calls(url, res);
      case 'DELETE /control/calls':
        this.log.clear();
        this.handset.clear();
        return reply(res, 200, {});
      default:
        return reply(res, 404, { code: 'not_found' });
    }
  }

  private change(body: Buffer, res: ServerResponse): void {
    let json: unknown;
    try {
      json = JSON.parse(body.toString('utf8'));
    } catch {
      return reply(res, 400, { code: 'malformed' });
    }
    const parsed = configChangeSchema.safeParse(json);
    if (!parsed.success) {
      const errors = parsed.error.issues.map((i) => ({ pointer: `/${i.path.join('/')}`, detail: i.message }));
      return reply(res, 422, { code: 'invalid', errors });
    }
    this.config.change(parsed.data);
    return reply(res, 200, this.config.effective());
  }

  /** Streams in pieces and lets other calls in between: reading a long history must not disturb what it measures. */
  private async calls(url: URL, res: ServerResponse): Promise<void> {
    const since = Number(url.searchParams.get('since') ?? 0);
    if (!Number.isFinite(since)) return reply(res, 400, { code: 'invalid' });
    const channel = url.searchParams.get('channel') ?? undefined;
    res.writeHead(200, { 'content-type': 'application/x-ndjson' });
    const gone = once(res, 'close');
    for (const piece of this.log.lines(since, channel)) {
      if (res.destroyed) return;
      if (!res.write(piece)) await Promise.race([once(res, 'drain'), gone]);
      await setImmediate();
    }
    res.end();
  }
}
