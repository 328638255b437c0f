import type { Redis } from 'ioredis';
import { isNoScript, reasonOf, type NoAnswerReason, type RedisAnswer } from './answer.js';
import { closeClient, createClient } from './client.js';
import { resolveRedisOptions, type RedisConnectionOptions, type ResolvedRedisOptions } from './options.js';
import { ANY_KEYS, sha1Of, type LuaScript } from './script.js';

/**
 * One connection to Redis. States: IDLE → CONNECTING ⇄ READY → CLOSED.
 * IDLE → CONNECTING by `start` or the first call; READY → CONNECTING when the socket breaks or stalls; any → CLOSED by
 * `close`, for good.
 * Invariants: no method throws or rejects; every call is answered by its deadline, also on a black-holed socket; while
 * not READY a call is answered at once; a command is written at most once (twice only when the server did not know a
 * script); at most `maxUnanswered` commands wait on the socket.
 * Callers: priority-mutex (leases), batch-safety (claims), accept (limits).
 */
export class RedisConnection {
  private readonly options: ResolvedRedisOptions;
  private readonly client: Redis;
  private readonly listeners = new Set<(ready: boolean) => void>();
  private closed = false;
  private announced = false;
  /** One entry for each call on the open socket; called with the reason when the socket closes under it. */
  private readonly unanswered = new Set<(reason: NoAnswerReason) => void>();

  constructor(options: RedisConnectionOptions) {
    this.options = resolveRedisOptions(options);
    this.client = createClient(this.options, () => this.unanswered.size);
    this.client.on('ready', () => this.announce(true));
    this.client.on('close', () => {
      // ioredis settles these late or never once resending is off.
      for (const lose of [...this.unanswered]) lose('connection-lost');
      this.announce(false);
    });
  }

  /** Whether calls are being sent right now. A black-holed socket counts as ready until it has stalled for `stallMs`. */
  get ready(): boolean {
    return !this.closed && this.client.status === 'ready';
  }

  /** Starts connecting; true when ready within `deadlineMs`. Attempts go on in the background after a false. */
  async start(deadlineMs: number): Promise<boolean> {
    if (this.closed || this.ready) return this.ready;
    const ready = new Promise<boolean>((resolve) => {
      const done = (value: boolean): void => {
        clearTimeout(timer);
        stop();
        resolve(value);
      };
      const timer = setTimeout(() => done(false), deadlineMs);
      const stop = this.onReadyChange((now) => (now || this.closed ? done(now) : undefined));
    });
    if (this.client.status === 'wait') this.client.connect().catch(() => undefined);
    return ready;
  }

  /** Tells `listener` of every change of `ready`. Returns the undo. */
  onReadyChange(listener: (ready: boolean) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Runs a script: EVALSHA, and once EVAL where the server does not know it.
   * @param keys without the key prefix; as many as `script.keys` says
   * @param deadlineMs longest wait; default `commandTimeoutMs`
   */
  async run(
    script: LuaScript,
    keys: readonly string[],
    args: readonly (string | number)[],
    deadlineMs?: number,
  ): Promise<RedisAnswer> {
    if (script.keys !== ANY_KEYS && script.keys !== keys.length) {
      this.options.logger.error(
        { script: script.name, keys: keys.length },
        'a script was called with a wrong number of keys',
      );
      return { kind: 'no-answer', reason: 'script-error' };
    }
    const rest = [...keys.map((k) => this.options.keyPrefix + k), ...args];
    return this.ask(script.name, deadlineMs, async (isLate) => {
      try {
        return await this.client.evalsha(sha1Of(script), keys.length, ...rest);
      } catch (error) {
        if (!isNoScript(error) || isLate()) throw error;
        return this.client.eval(script.source, keys.length, ...rest);
      }
    });
  }

  /** The server's clock, epoch ms with fractions: the time that holds, leases and reservations are written in. */
  async time(deadlineMs?: number): Promise<RedisAnswer<number>> {
    return this.ask('time', deadlineMs, async () => {
      const [seconds, micros] = await this.client.time();
      return Number(seconds) * 1000 + Number(micros) / 1000;
    });
  }

  async get(key: string, deadlineMs?: number): Promise<RedisAnswer<string | null>> {
    return this.ask('get', deadlineMs, () => this.client.get(this.options.keyPrefix + key));
  }

  /** Sets a key that lives for `ttlMs`. */
  async set(key: string, value: string, ttlMs: number, deadlineMs?: number): Promise<RedisAnswer<true>> {
    return this.ask('set', deadlineMs, async () => {
      await this.client.set(this.options.keyPrefix + key, value, 'PX', ttlMs);
      return true as const;
    });
  }

  /** How many of the keys existed and are gone now. */
  async del(keys: readonly string[], deadlineMs?: number): Promise<RedisAnswer<number>> {
    return this.ask('del', deadlineMs, () => this.client.del(...keys.map((k) => this.options.keyPrefix + k)));
  }

  /** Closes for good, in order within `deadlineMs`. */
  async close(deadlineMs: number): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await closeClient(this.client, deadlineMs);
    this.announce(false);
    this.listeners.clear();
  }

  private async ask<T>(
    what: string,
    deadlineMs: number = this.options.commandTimeoutMs,
    send: (isLate: () => boolean) => Promise<T>,
  ): Promise<RedisAnswer<T>> {
    if (this.closed) return { kind: 'no-answer', reason: 'closed' };
    if (!this.ready) {
      if (this.client.status === 'wait') this.client.connect().catch(() => undefined);
      return { kind: 'no-answer', reason: 'not-connected' };
    }
    if (this.unanswered.size >= this.options.maxUnanswered)
      return { kind: 'no-answer', reason: 'overloaded' };
    return this.await(what, deadlineMs, send);
  }

  private await<T>(
    what: string,
    deadlineMs: number,
    send: (isLate: () => boolean) => Promise<T>,
  ): Promise<RedisAnswer<T>> {
    return new Promise((resolve) => {
      let late = false;
      let answered = false;
      const giveUp = (reason: NoAnswerReason): void => {
        if (answered) return;
        late = true;
        clearTimeout(timer);
        if (reason !== 'deadline') this.unanswered.delete(giveUp);
        resolve({ kind: 'no-answer', reason });
      };
      // One turn later: an answer that came while this process was busy is read before the deadline counts.
      const timer = setTimeout(() => setImmediate(giveUp, 'deadline'), deadlineMs);
      // Past its deadline a call still occupies the socket, so it stays counted until it is answered or the socket closes.
      this.unanswered.add(giveUp);
      send(() => late).then(
        (value) => {
          answered = true;
          clearTimeout(timer);
          this.unanswered.delete(giveUp);
          resolve({ kind: 'answer', value });
        },
        (error: unknown) => giveUp(this.explain(what, error)),
      );
    });
  }

  private explain(what: string, error: unknown): NoAnswerReason {
    const reason = reasonOf(error);
    if (reason === 'script-error')
      this.options.logger.error({ redis: this.options.name, what, err: error }, 'redis refused a command');
    return reason;
  }

  private announce(ready: boolean): void {
    if (ready === this.announced && !this.closed) return;
    this.announced = ready;
    for (const listener of [...this.listeners]) listener(ready);
  }
}
