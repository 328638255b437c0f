import { heartbeatLanes, heartbeatOf, type AcceptorOptions } from '@commservice/accept';
import { laneName, type Catalogue, type Lane } from '@commservice/contracts';
import { newTrace, traceHeaders, type Logger, type Metrics } from '@commservice/telemetry';
import type { LanePublisher } from '../publish/lane-publisher.js';

export interface HeartbeatsOptions {
  /** Time between two heartbeats of one lane, ms; 0 = none. */
  readonly intervalMs: number;
  readonly catalogue: { readonly current: Catalogue };
  readonly accept: Omit<AcceptorOptions, 'ceiling'>;
  readonly publisher: LanePublisher;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Writes one heartbeat a lane and interval, so that a silent lane that has stopped working is noticed. The lanes take
 * turns, evenly spaced over the interval. IDLE → BEATING (`start`) → IDLE (`stop`). Follows the catalogue in force.
 */
export class Heartbeats {
  private timer: NodeJS.Timeout | undefined;
  private turn = 0;

  constructor(private readonly options: HeartbeatsOptions) {}

  start(): void {
    if (this.options.intervalMs > 0 && !this.timer) this.schedule();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private schedule(): void {
    const lanes = heartbeatLanes(this.options.catalogue.current);
    const lane = lanes[this.turn++ % lanes.length];
    this.timer = setTimeout(() => {
      this.schedule();
      if (lane) void this.beat(lane);
    }, this.options.intervalMs / lanes.length).unref();
  }

  private async beat(lane: Lane): Promise<void> {
    const { accept, catalogue, publisher, intervalMs, logger, metrics } = this.options;
    const context = { trace: traceHeaders(newTrace()), maxTtlMs: 2 * intervalMs };
    const heartbeat = heartbeatOf(lane, catalogue.current, accept, context);
    if (!heartbeat)
      return logger.warn(
        { lane: laneName(lane) },
        'A lane gets no heartbeat: no brand or no data key for it',
      );
    const published = await publisher.publish(heartbeat.record, heartbeat.event);
    if (published.kind !== 'stored')
      return logger.warn({ lane: laneName(lane), result: published.kind }, 'A heartbeat was not stored');
    const { channel, brand, priority, category, kind } = heartbeat.message;
    metrics.ingestMessages.add(1, { channel, brand, priority, category, kind });
  }
}
