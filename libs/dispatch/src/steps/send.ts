import { randomUUID } from 'node:crypto';
import type { Clock, Lane, Outbound, Provider, SendOutcome } from '@commservice/contracts';
import type { Logger, Metrics } from '@commservice/telemetry';
import type { AccountState } from '../account/account-state.js';
import type { LaneItem } from '../lane-item.js';
import type { SentIndex } from '../receipts/sent-index.js';
import { verdictOf, type Verdict } from './verdict.js';

export interface SendStepOptions {
  readonly lane: Lane;
  readonly provider: Provider;
  readonly account: AccountState;
  /** Whether a record that this account failed can go to another at once. */
  readonly another: (item: LaneItem) => boolean;
  readonly sent: SentIndex;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The account throttles or fails until then (monotonic ms): its scope must know. */
  readonly onAccountTrouble: (reason: 'throttled' | 'failing', untilMs: number) => void;
}

/** One attempt at one account for one item, and what follows from its answer. Never rejects. */
export class SendStep {
  constructor(private readonly options: SendStepOptions) {}

  async send(item: LaneItem): Promise<Verdict> {
    const { account, provider, clock, sent } = this.options;
    const { priority, expiresAt } = item.message;
    // a longer timeout of a changed catalogue counts for what is reserved as long
    const timeoutMs = Math.min(account.account.timeoutMs[priority], item.reservedMs / 2);
    const outbound = this.outbound(item);
    sent.remember(item.message, item.generation);
    const result = await provider.send(outbound, {
      signal: AbortSignal.timeout(timeoutMs + 1_000),
      deadlineAt: expiresAt,
      timeoutMs,
      attempt: item.attempts + 1,
      trace: { traceparent: item.traceparent },
    });
    this.note(item, result);
    const context = {
      account: account.name,
      idempotent: account.account.idempotent,
      providerDown: account.down,
      otherAccount: this.options.another(item),
      nowEpochMs: clock.now(),
    };
    return verdictOf(result, item, context);
  }

  private outbound(item: LaneItem): Outbound {
    const { message } = item;
    return {
      notificationId: message.id,
      attemptId: randomUUID(),
      idempotencyKey: message.id,
      address: item.address,
      content: item.content,
      priority: message.priority,
      brand: message.brand,
      units: message.units,
      kind: message.kind,
      account: this.options.account.name,
      wantReceipt: true,
      generation: item.generation,
    };
  }

  private note(item: LaneItem, result: SendOutcome): void {
    const { account, lane, logger, metrics } = this.options;
    const call = { ...lane, account: account.name };
    const troubleUntil = account.ended(lane.priority, result, result.wire.latencyMs, item.message.id);
    metrics.providerCalls.add(1, { ...call, outcome: result.kind });
    metrics.providerCallDuration.record(result.wire.latencyMs / 1000, { ...call, outcome: result.kind });
    if (result.kind === 'accepted') return metrics.providerUnits.add(item.message.units, call);
    if (troubleUntil !== undefined)
      this.options.onAccountTrouble(result.kind === 'throttled' ? 'throttled' : 'failing', troubleUntil);
    logger.info(
      {
        id: item.message.id,
        account: account.name,
        result: result.kind,
        code: result.error.code,
        attempt: item.attempts + 1,
      },
      'the provider did not accept a message',
    );
  }
}
