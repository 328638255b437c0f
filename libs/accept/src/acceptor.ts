import type { KeyObject } from 'node:crypto';
import type { BatchItem, Clock, FieldError, KeyRing, MessageIds } from '@commservice/contracts';
import { readAddress, type AddressResult } from './address.js';
import { classify, type Classified, type Sender } from './classify.js';
import { fault, MAX_FAULTS } from './faults.js';
import { lifetimeOf } from './lifetime.js';
import type { LimitView, P1Ceiling } from './p1-ceiling.js';
import { recordOf, type Trace } from './record.js';
import { refuse, refuseLimited, refuseUnavailable, type AcceptResult } from './result.js';
import { measure, type Measured } from './units.js';
import { validate, type SoundFields } from './validate.js';

/** How soon a client may try again when a data key is missing: key rings refresh about once a second. */
const KEY_RETRY_MS = 2000;

export interface AcceptorOptions {
  readonly clock: Clock;
  readonly ids: MessageIds;
  readonly keyRing: Pick<KeyRing, 'current'>;
  readonly ceiling: P1Ceiling;
  /** Secret of the recipient hash that keys lane records; imported once, because raw keys are slow. */
  readonly hashKey: KeyObject;
}

export interface AcceptContext extends Sender {
  readonly trace: Trace;
  /** Put before every pointer, for example `/messages/7`. */
  readonly pointerPrefix?: string;
}

/** What the checks found out about a request. */
interface Judged extends Classified {
  readonly address?: AddressResult | undefined;
  readonly measured?: Measured | undefined;
  readonly ttlMs?: number | undefined;
}

/** Runs every check that the sound fields allow, so that one answer lists all faults. */
function judge(fields: SoundFields, sender: Sender): Judged {
  const classified = classify(fields, sender);
  const faults = [...classified.faults];
  const { channel, to, content } = fields;
  const address = channel && to ? readAddress(channel, to, sender.catalogue) : undefined;
  if (address?.kind === 'fault') faults.push(address.fault);
  const measured = channel && content ? measure(channel, content, classified.account) : undefined;
  if (measured) faults.push(...measured.faults);
  const lifetime = classified.category ? lifetimeOf(fields.ttl, classified.category) : undefined;
  if (lifetime?.kind === 'fault') faults.push(lifetime.fault);
  return {
    ...classified,
    address,
    measured,
    ttlMs: lifetime?.kind === 'ttl' ? lifetime.ttlMs : undefined,
    faults,
  };
}

/**
 * The one place where a message is validated, classified, addressed and limited: validate → classify → address → units
 * → lifetime → limit → seal → record. No I/O: keys, limits and catalogue are in memory. Never throws, whatever JSON it is
 * given. The only state is the P1 ceiling, which is charged last. Called once per message by the API, and by campaigns.
 */
export class Acceptor {
  constructor(private readonly options: AcceptorOptions) {}

  /** Accepts or refuses one request; `raw` is parsed JSON. The caller produces the record, then writes the event. */
  accept(raw: unknown, context: AcceptContext): AcceptResult {
    const { request, sound, faults } = validate(raw, context.batchSize !== undefined);
    const judged = judge(sound, context);
    const all = [...faults, ...judged.faults];
    if (all.length > 0 || request === undefined)
      return refuse(all.slice(0, MAX_FAULTS), context.pointerPrefix);
    const limited = this.limit(judged, context);
    if (limited.kind === 'limited') return refuseLimited(limited.view, limited.retryAfterMs);
    return this.record(request, judged, context, limited.view);
  }

  private limit(
    { priority, accountName, measured }: Judged,
    { catalogue, key }: AcceptContext,
  ): { kind: 'free'; view?: LimitView } | { kind: 'limited'; view: LimitView; retryAfterMs: number } {
    if (priority !== 'P1' || accountName === undefined) return { kind: 'free' };
    const charge = { team: key.team, account: accountName, units: measured?.units ?? 1 };
    const result = this.options.ceiling.charge(catalogue, charge);
    return result.kind === 'limited' ? result : { kind: 'free', view: result.view };
  }

  private record(
    request: BatchItem,
    judged: Judged,
    context: AcceptContext,
    limit?: LimitView,
  ): AcceptResult {
    const { clock, ids, keyRing, hashKey } = this.options;
    const { address, measured, priority, ttlMs } = judged;
    if (address?.kind !== 'address' || !measured || priority === undefined || ttlMs === undefined) {
      return refuse(missing(judged), context.pointerPrefix);
    }
    const acceptedAt = Math.floor(clock.now());
    const dataKey = keyRing.current(request.brand, acceptedAt);
    if (!dataKey) return refuseUnavailable('The data key of this brand is not loaded yet', KEY_RETRY_MS);
    const team = context.key.team;
    const recorded = recordOf(
      {
        ...request,
        id: ids.create(team, acceptedAt),
        team,
        priority,
        units: measured.units,
        acceptedAt,
        ttlMs,
        kind: 'message',
        payload: { to: address.address, content: request.content },
        identity: address.identity,
      },
      { catalogue: context.catalogue, dataKey, hashKey, trace: context.trace },
    );
    if (recorded.kind === 'too-large')
      return refuse([fault('/content', 'content_too_large')], context.pointerPrefix);
    return { ...recorded, kind: 'accepted', parts: measured.parts, limit };
  }
}

/** A sound request lacks a verdict only when the catalogue routes it nowhere; its checks forbid that. */
function missing(judged: Judged): FieldError[] {
  return judged.faults.length > 0 ? judged.faults : [fault('/brand', 'unknown_brand')];
}
