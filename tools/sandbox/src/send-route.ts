import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Channel } from '@commservice/contracts';
import type { CallLog, CallOutcome } from './call-log.js';
import type { SandboxConfig } from './config.js';
import type { Fate, Fates, Item } from './fate.js';
import type { Handset } from './handset.js';
import type { LagMeter } from './lag-meter.js';
import { reply } from './reply.js';
import type { ReceiptOutbox } from './receipts.js';
import { smsParts } from './sms-parts.js';

/** Who calls, for which account. */
interface Caller {
  readonly channel: Channel;
  readonly account: string;
  readonly pod: string;
  readonly kind: string;
  readonly atUs: number;
}

interface Send extends Item {
  readonly priority: string;
  readonly brand: string;
  readonly units: number;
  readonly declared: number;
  readonly expiresAt: number;
}

export interface SendParts {
  readonly config: SandboxConfig;
  readonly fates: Fates;
  readonly log: CallLog;
  readonly lag: LagMeter;
  readonly receipts: ReceiptOutbox;
  readonly handset: Handset;
}

/** Takes sends, single and in batches: counts, decides, records, answers after the account's latency. */
export class SendRoute {
  constructor(private readonly parts: SendParts) {}

  /**
   * @param atUs when the request arrived, before its body was read (epoch microseconds)
   */
  handle(
    channel: Channel,
    batch: boolean,
    headers: IncomingHttpHeaders,
    body: Buffer,
    atUs: number,
    res: ServerResponse,
  ) {
    const json = parse(body);
    if (json === undefined) return reply(res, 400, { code: 'malformed' });
    const head = (name: string) => (typeof headers[name] === 'string' ? headers[name] : undefined);
    const account = head('x-account');
    const own = { ...json, id: head('x-message-id'), priority: head('x-priority'), brand: head('x-brand') };
    const sends = (batch ? asList(json.items) : [own]).map((item) => sendOf(channel, item));
    if (!account || sends.length === 0 || !sends.every((s) => s !== undefined)) {
      return reply(res, 400, { code: 'incomplete' });
    }
    const caller = { channel, account, pod: head('x-pod') ?? '', kind: head('x-kind') ?? 'message', atUs };
    return this.settle(caller, batch, sends, json.receiptUrl, res);
  }

  private settle(
    caller: Caller,
    batch: boolean,
    sends: readonly Send[],
    receiptUrl: unknown,
    res: ServerResponse,
  ): void {
    const { channel, account, atUs } = caller;
    const units = sends.reduce((sum, s) => sum + s.units, 0);
    const waitUs = this.parts.fates.throttle(channel, account, units, atUs);
    if (waitUs > 0) {
      for (const send of sends) this.record(caller, send, 'throttled');
      return reply(res, 429, { code: 'throttled' }, { 'retry-after': (waitUs / 1e6).toFixed(2) });
    }
    const { batchMode, latencyMs } = this.parts.config.of(channel, account);
    const whole =
      batch && batchMode === 'all-or-nothing'
        ? this.parts.fates.refusalOf(channel, account, sends)
        : undefined;
    if (whole !== undefined) {
      for (const send of sends) this.record(caller, send, 'refused');
      return later(latencyMs, () => reply(res, 400, { code: whole }));
    }
    const fates = sends.map((send) => this.decide(caller, send, receiptUrl));
    if (fates.some((f) => f.answer === 'silent')) return undefined;
    if (fates.some((f) => f.answer === 'broken'))
      return later(latencyMs, () => res.socket?.resetAndDestroy());
    return later(latencyMs, () => (batch ? answerBatch(res, sends, fates) : answerOne(res, sends, fates)));
  }

  private decide(caller: Caller, send: Send, receiptUrl: unknown): Fate {
    const fate = this.parts.fates.decide(caller.channel, caller.account, send);
    this.record(caller, send, fate.outcome);
    if (fate.providerId !== undefined)
      this.parts.receipts.plan(fate.receipts, send.id, fate.providerId, receiptUrl);
    return fate;
  }

  private record(caller: Caller, send: Send, outcome: CallOutcome): void {
    const { channel, account, pod, kind, atUs } = caller;
    const { id, priority, brand, units, declared, expiresAt } = send;
    const lagMs = Math.round(this.parts.lag.read() * 10) / 10;
    const { log, handset } = this.parts;
    log.append({
      atEpochUs: atUs,
      channel,
      id,
      priority,
      brand,
      pod,
      account,
      kind,
      units,
      declared,
      expiresAt,
      outcome,
      lagMs,
    });
    if (kind === 'heartbeat') return;
    const at = Math.round(atUs / 1000);
    const { to, content } = send;
    handset.show({ seq: log.lastSeq, at, channel, priority, brand, account, outcome, to, content });
  }
}

function answerOne(res: ServerResponse, [send]: readonly Send[], [fate]: readonly Fate[]): void {
  if (!send || !fate) return;
  const { status, providerId, code, retryAfterS } = fate;
  const headers = retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) };
  reply(res, status, providerId === undefined ? { code } : { providerId, units: send.units }, headers);
}

function answerBatch(res: ServerResponse, sends: readonly Send[], fates: readonly Fate[]): void {
  const results = fates.map(({ status, providerId, code }, i) => ({
    id: sends[i]?.id,
    status,
    providerId,
    code,
  }));
  reply(res, 200, { results });
}

function later(ms: number, run: () => void): void {
  if (ms <= 0) run();
  else setTimeout(run, ms);
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function parse(body: Buffer): Json | undefined {
  try {
    const json: unknown = JSON.parse(body.toString('utf8'));
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** An item with everything a vendor needs, or undefined. */
function sendOf(channel: Channel, item: unknown): Send | undefined {
  if (!isObject(item)) return undefined;
  const { id, priority, brand, to, content, units, expiresAt } = item;
  if (typeof id !== 'string' || id === '' || id.length > 256) return undefined;
  if (typeof priority !== 'string' || priority === '' || !isObject(to) || !isObject(content))
    return undefined;
  if (typeof expiresAt !== 'number') return undefined;
  const text = typeof content.text === 'string' ? content.text : '';
  return {
    id,
    priority,
    brand: typeof brand === 'string' ? brand : '',
    to,
    content,
    units: channel === 'sms' ? smsParts(text) : 1,
    declared: typeof units === 'number' ? units : Number.NaN,
    expiresAt,
  };
}
