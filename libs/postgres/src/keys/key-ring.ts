import { systemClock, type Clock, type DataKey, type KeyLookup, type KeyRing } from '@commservice/contracts';
import type { Logger } from '@commservice/telemetry';
import type { Queryable } from '../postgres.js';
import { addKeys, keyById, keysSince } from './key-rows.js';
import { newDataKey, unwrapKey, wrapKey, type WrappedKey } from './key-wrap.js';

export interface KeyRingOptions {
  readonly postgres: Queryable;
  /** 32 bytes; wraps every new data key. */
  readonly masterKey: Buffer;
  /** Master keys that older data keys were wrapped with. Default none. */
  readonly previousMasterKeys?: readonly Buffer[];
  /** Brands that must have keys. */
  readonly brands: readonly string[];
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Time between refreshes once ready, in ms; five times as often until then. Default 30 000. */
  readonly refreshMs?: number;
}

const DAY_MS = 86_400_000;
/** Keys are made this many days ahead, so that a database that is down over midnight stops nobody. */
const DAYS_AHEAD = 3;
/** Lane records live ten days; one more for clocks and late retries. */
const DAYS_BACK = 11;
/** How long an unknown id is taken as gone before the database is asked again. */
const UNKNOWN_FOR_MS = 5_000;
const MAX_UNKNOWN = 10_000;

/** `YYYY-MM-DD`, UTC. */
export const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

/**
 * Data keys from PostgreSQL, held in memory. STARTING → READY; READY only with today's and tomorrow's key of every
 * brand, and it stays so while PostgreSQL is down until those days have passed. `current` and `byId` answer from memory.
 * Invariant: pods agree on the key of a brand and day (first insert wins, then everyone reads). A key dropped from the
 * database leaves memory at the next refresh. Called by accept (seal), dispatch (open) and readiness probes.
 */
export class PostgresKeyRing implements KeyRing {
  private keys = new Map<string, DataKey>();
  private byBrandDay = new Map<string, DataKey>();
  private readonly unknown = new Map<string, number>();
  private readonly loading = new Map<string, Promise<KeyLookup>>();
  private refreshing: Promise<boolean> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private readonly clock: Clock;

  constructor(private readonly options: KeyRingOptions) {
    if (options.masterKey.length !== 32) throw new RangeError('the master key needs exactly 32 bytes');
    this.clock = options.clock ?? systemClock;
  }

  /** Loads and makes keys, then keeps them fresh. Resolves after the first try, whether it worked (`ready`) or not. */
  async start(): Promise<void> {
    await this.refresh();
    this.schedule();
  }

  /** Stops refreshing; keys stay in memory. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  get ready(): boolean {
    return this.missing().length === 0;
  }

  /** `brand day` pairs that hold readiness back. */
  missing(): string[] {
    const now = this.clock.now();
    const days = [dayOf(now), dayOf(now + DAY_MS)];
    return this.options.brands
      .flatMap((b) => days.map((d) => `${b} ${d}`))
      .filter((k) => !this.byBrandDay.has(k));
  }

  current(brand: string, nowEpochMs: number): DataKey | undefined {
    return this.byBrandDay.get(`${brand} ${dayOf(nowEpochMs)}`);
  }

  /** From memory. An unknown id is looked up in the background, so that a later call finds it; `load` waits for it. */
  byId(id: string): DataKey | undefined {
    const key = this.keys.get(id);
    if (!key) void this.lookUp(id);
    return key;
  }

  /**
   * The key with that id, from the database if need be. `dropped` only when the database says that it has none;
   * `no-answer` when it does not answer within `deadlineMs`, or holds a key that no master key of ours opens.
   */
  async load(id: string, deadlineMs = 1_000): Promise<KeyLookup> {
    const known = this.keys.get(id);
    if (known) return { kind: 'found', key: known };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<KeyLookup>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'no-answer' }), deadlineMs);
      timer.unref();
    });
    const found = await Promise.race([this.lookUp(id), late]);
    clearTimeout(timer);
    return found;
  }

  /** Reads all keys that may be needed and makes those that are missing. False when PostgreSQL did not answer. */
  async refresh(): Promise<boolean> {
    this.refreshing ??= this.readAll().finally(() => (this.refreshing = undefined));
    return this.refreshing;
  }

  private async readAll(): Promise<boolean> {
    const { postgres, logger } = this.options;
    const now = this.clock.now();
    const since = dayOf(now - DAYS_BACK * DAY_MS);
    try {
      let stored = await keysSince(postgres, since);
      const fresh = this.freshKeys(stored, now);
      if (fresh.length > 0) {
        await addKeys(postgres, fresh);
        stored = await keysSince(postgres, since);
      }
      this.hold(stored);
      return true;
    } catch (err) {
      logger.warn({ err, ready: this.ready }, 'data keys could not be read; those in memory stay in use');
      return false;
    }
  }

  private freshKeys(stored: readonly WrappedKey[], now: number): WrappedKey[] {
    const have = new Set(stored.map((k) => `${k.brand} ${k.day}`));
    const days = Array.from({ length: DAYS_AHEAD + 1 }, (_, i) => dayOf(now + i * DAY_MS));
    return this.options.brands
      .flatMap((brand) => days.filter((d) => !have.has(`${brand} ${d}`)).map((d) => newDataKey(brand, d)))
      .map((key) => wrapKey(key, this.options.masterKey));
  }

  private hold(stored: readonly WrappedKey[]): void {
    const opened = stored.map((s) => this.unwrap(s)).filter((k) => k !== undefined);
    this.keys = new Map(opened.map((k) => [k.id, k]));
    this.byBrandDay = new Map(opened.map((k) => [`${k.brand} ${k.day}`, k]));
    const unreadable = stored.length - opened.length;
    if (unreadable > 0) {
      this.options.logger.error(
        { unreadable },
        'data keys were wrapped with a master key this process does not have',
      );
    }
  }

  private unwrap(stored: WrappedKey): DataKey | undefined {
    return unwrapKey(stored, [this.options.masterKey, ...(this.options.previousMasterKeys ?? [])]);
  }

  private lookUp(id: string): Promise<KeyLookup> {
    const askedAt = this.unknown.get(id);
    if (askedAt !== undefined && this.clock.monotonic() - askedAt < UNKNOWN_FOR_MS)
      return Promise.resolve({ kind: 'dropped' });
    const running = this.loading.get(id);
    if (running) return running;
    const work = this.readOne(id).finally(() => this.loading.delete(id));
    this.loading.set(id, work);
    return work;
  }

  private async readOne(id: string): Promise<KeyLookup> {
    try {
      const stored = await keyById(this.options.postgres, id);
      if (!stored) {
        this.remember(id);
        return { kind: 'dropped' };
      }
      const key = this.unwrap(stored);
      if (!key) return { kind: 'no-answer' }; // another master key's: not ours to call gone
      this.keys.set(id, key);
      return { kind: 'found', key };
    } catch {
      return { kind: 'no-answer' }; // PostgreSQL is away: ask again next time
    }
  }

  private remember(id: string): void {
    if (this.unknown.size >= MAX_UNKNOWN) this.unknown.clear();
    this.unknown.set(id, this.clock.monotonic());
  }

  private schedule(): void {
    if (this.stopped) return;
    const refreshMs = this.options.refreshMs ?? 30_000;
    this.timer = setTimeout(
      () => void this.refresh().then(() => this.schedule()),
      this.ready ? refreshMs : refreshMs / 5,
    );
    this.timer.unref();
  }
}
