import {
  eventOf,
  prioritySchema,
  type Clock,
  type MessageEvent,
  type Priority,
  type Provider,
  type Receipt,
} from '@commservice/contracts';
import type { Metrics } from '@commservice/telemetry';
import type { SentIndex } from './sent-index.js';

export type IntakeResult =
  | { kind: 'stored'; receipts: number }
  | { kind: 'refused'; status: 400 | 401 | 404; reason: string }
  /** Kafka did not take them in time: the vendor is to deliver them again. */
  | { kind: 'not-stored' };

export interface ReceiptIntakeOptions {
  /** Account → the provider that reads its webhooks. */
  readonly providers: ReadonlyMap<string, Provider>;
  readonly sent: SentIndex;
  /** Resolves true when the event is acknowledged. */
  readonly publish: (event: MessageEvent, signal: AbortSignal) => Promise<boolean>;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

const STORE_MS = 5_000;

/** What our receipt URL says of the messages it is for: `?class=P1&generation=0`. */
export function receiptQuery(priority: Priority, generation: number): string {
  return `class=${priority}&generation=${generation}`;
}

/** Takes delivery receipts: each becomes one event, and the vendor is told 2xx only when all are acknowledged. */
export class ReceiptIntake {
  constructor(private readonly options: ReceiptIntakeOptions) {}

  /**
   * @param account from the path `/receipts/<account>`
   * @param query from the URL we gave the vendor; decides class and redrive generation
   */
  async take(
    account: string,
    query: Readonly<Record<string, string | undefined>>,
    raw: Buffer,
    headers: Readonly<Record<string, string | undefined>>,
  ): Promise<IntakeResult> {
    const provider = this.options.providers.get(account);
    if (!provider) return { kind: 'refused', status: 404, reason: 'this dispatcher has no such account' };
    const { channel } = provider.capabilities;
    const priority = prioritySchema.safeParse(query['class']);
    const generation = Number(query['generation'] ?? 0);
    if (!priority.success || !Number.isSafeInteger(generation) || generation < 0) {
      return {
        kind: 'refused',
        status: 400,
        reason: 'the query must hold class=P1|P2|P3 and generation=<number>',
      };
    }
    const parsed = provider.parseWebhook(raw, headers);
    if (!parsed.ok) {
      this.options.metrics.receipts.add(1, { channel, account, state: 'unreadable' });
      return { kind: 'refused', status: parsed.status, reason: parsed.reason };
    }
    const signal = AbortSignal.timeout(STORE_MS);
    const stored = await Promise.all(
      parsed.receipts.map((r) =>
        this.options.publish(this.eventFor(r, account, priority.data, generation), signal),
      ),
    );
    for (const r of parsed.receipts)
      this.options.metrics.receipts.add(1, { channel, account, state: r.state });
    return stored.every(Boolean) ? { kind: 'stored', receipts: stored.length } : { kind: 'not-stored' };
  }

  private eventFor(receipt: Receipt, account: string, priority: Priority, generation: number): MessageEvent {
    const detail = {
      status: receipt.state,
      at: receipt.at,
      generation,
      account,
      providerId: receipt.providerId,
    };
    const known = this.options.sent.of(receipt.id);
    return known ? eventOf(known.message, detail) : { v: 1, id: receipt.id, priority, ...detail };
  }
}
