import { Server, type CustomTransportStrategy } from '@nestjs/microservices';
import { lastValueFrom } from 'rxjs';

/** What the strategy starts and stops with the app: the pipeline's lane, which calls `handle` from its slots. */
export interface LaneRunner {
  /** Begins to fetch and send; `handle` is given the records that a slot took and answers with one outcome each. */
  start(handle: (slice: unknown) => Promise<unknown>): Promise<void>;
  /** Stops fetching, settles what is in the air, commits, leaves. */
  stop(): Promise<void>;
}

/** The pattern of a lane's one `@EventPattern` handler. */
export const LANE_PATTERN = 'slice';

/**
 * Binds one lane to a Nest application (design §7). Nest's own Kafka transport runs `eachMessage` only and commits by
 * itself; here the fetch loop never waits for a handler: a *slot* calls it. One Symbol transport id per lane, so that
 * `@EventPattern(LANE_PATTERN, id)` binds to this lane alone.
 */
export class LaneStrategy extends Server implements CustomTransportStrategy {
  constructor(
    transport: symbol,
    private readonly runner: LaneRunner,
  ) {
    super();
    this.setTransportId(transport);
  }

  listen(done: (error?: unknown) => void): void {
    const handler = this.getHandlerByPattern(LANE_PATTERN);
    if (!handler) return done(new Error('the lane has no @EventPattern handler'));
    const handle = async (slice: unknown): Promise<unknown> => {
      const answer$ = this.transformToObservable(await handler(slice));
      return lastValueFrom(answer$, { defaultValue: undefined });
    };
    this.runner.start(handle).then(() => done(), done);
  }

  async close(): Promise<void> {
    await this.runner.stop();
  }

  on(): never {
    throw new Error('a lane has no events to listen to');
  }

  unwrap<T>(): T {
    return this.runner as T;
  }
}
