import { createHash, randomUUID } from 'node:crypto';
import { faultsOf } from '@commservice/accept';
import { unreachable, type FieldError } from '@commservice/contracts';
import type { CreateResult, RedriveJob, RedriveSelector, RedriveStore } from '@commservice/postgres';
import { filterOf } from '../dead-letters/dead-letter-body.js';
import { HttpProblem, fromDatabase, notFound, refused } from '../http/http-problem.js';
import { redriveRequestSchema, type RedriveInput } from './schemas.js';

export interface JobDeskOptions {
  readonly store: Pick<RedriveStore, 'create' | 'cancel'>;
  /** Most items of one job. */
  readonly maxItems: number;
  /** A job is waiting. */
  readonly onCreated: () => void;
}

export interface Created {
  readonly job: RedriveJob;
  /** The same key asked for the same before: the job of then. */
  readonly replayed: boolean;
}

/** The key of the header, with or without the quotes of the standard. */
function idempotencyKeyOf(header: string | string[] | undefined): string {
  const key = /^"?([\x21\x23-\x7e]{1,255})"?$/.exec(typeof header === 'string' ? header : '')?.[1];
  if (key !== undefined) return key;
  const errors = [
    {
      pointer: '',
      code: 'idempotency_key_required',
      detail: 'Idempotency-Key has 1 to 255 printable characters',
    },
  ];
  throw HttpProblem.of('invalid-request', 400, 'Starting a redrive needs an Idempotency-Key header', {
    errors,
  });
}

function selectorOf({ selector }: RedriveInput): RedriveSelector {
  return selector.ids ? { ids: [...new Set(selector.ids)] } : { filter: filterOf(selector.filter ?? {}) };
}

/** Keys sorted, so that the same request in another order is the same. */
function digestOf(value: unknown): string {
  const canonical = JSON.stringify(value, (_key, v: unknown) =>
    v && typeof v === 'object' && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v,
  );
  return createHash('sha256').update(canonical).digest('hex');
}

function pointersOf(ids: readonly string[], selector: RedriveInput['selector']): FieldError[] {
  return ids.map((id) => ({
    pointer: `/selector/ids/${selector.ids?.indexOf(id) ?? 0}`,
    code: 'unknown_dead_letter',
    detail: 'There is no such dead letter',
  }));
}

/** Takes orders for redrive jobs: validates, freezes the set, answers. */
export class JobDesk {
  constructor(private readonly options: JobDeskOptions) {}

  async create(body: unknown, key: string | string[] | undefined, operator: string): Promise<Created> {
    const idempotencyKey = idempotencyKeyOf(key);
    const parsed = redriveRequestSchema.safeParse(body);
    if (!parsed.success) throw refused(faultsOf(parsed.error.issues, body));
    const { ratePerSecond, reason } = parsed.data;
    const { store, maxItems } = this.options;
    const result = await fromDatabase(() =>
      store.create({
        ...{ id: randomUUID(), requestedBy: operator, idempotencyKey, requestDigest: digestOf(parsed.data) },
        ...{ selector: selectorOf(parsed.data), ratePerSecond, reason, maxItems },
      }),
    );
    return this.answer(result, parsed.data);
  }

  /** Asks a job to stop; within a second nothing more is produced. */
  async cancel(id: string, operator: string): Promise<RedriveJob> {
    const result = await fromDatabase(() => this.options.store.cancel(id, operator));
    if (result.kind === 'unknown') throw notFound('redrive job');
    if (result.kind === 'finished') throw HttpProblem.of('invalid-request', 409, 'The job has already ended');
    return result.job;
  }

  private answer(result: CreateResult, input: RedriveInput): Created {
    switch (result.kind) {
      case 'created':
        this.options.onCreated();
        return { job: result.job, replayed: false };
      case 'replayed':
        return { job: result.job, replayed: true };
      case 'key-reused':
        throw refused([
          {
            pointer: '',
            code: 'idempotency_mismatch',
            detail: 'This Idempotency-Key was used with another body',
          },
        ]);
      case 'nothing-selected':
        throw refused([{ pointer: '/selector', code: 'nothing_selected', detail: 'No dead letter matches' }]);
      case 'unknown-ids':
        throw refused(pointersOf(result.ids, input.selector));
      case 'too-many':
        throw refused([
          {
            pointer: '/selector',
            code: 'too_many_entries',
            detail: `A job takes at most ${result.maxItems}; narrow the filter`,
          },
        ]);
      default:
        return unreachable(result);
    }
  }
}
