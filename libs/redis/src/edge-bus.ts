import type { Redis } from 'ioredis';
import { closeClient, createClient } from './client.js';
import { resolveRedisOptions, type RedisConnectionOptions, type ResolvedRedisOptions } from './options.js';

type Listener = (text: string) => void;

/**
 * Publishes and hears edges ("P1 presses") on a connection of its own, so that an edge never waits behind a reply.
 * An edge is a hint: while Redis is away it is dropped, and whoever must not miss one also polls.
 * Invariants: no method throws; subscriptions made at any time hold after every reconnect; a silent socket is noticed
 * within `pingMs` + `stallMs`.
 * Callers: priority-mutex.
 */
export class EdgeBus {
  private readonly options: ResolvedRedisOptions;
  private readonly client: Redis;
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly pinger: NodeJS.Timeout;
  /** Commands without an answer yet. */
  private readonly owed = new Set<Promise<unknown>>();
  private closed = false;

  constructor(options: RedisConnectionOptions) {
    this.options = resolveRedisOptions(options);
    this.client = createClient(this.options, () => this.owed.size);
    this.client.on('ready', () => this.resubscribe());
    this.client.on('close', () => this.owed.clear());
    this.client.on('message', (channel: string, text: string) => this.deliver(channel, text));
    // Nobody else writes on this socket for minutes; a ping makes `stallMs` notice a dead one.
    this.pinger = setInterval(() => {
      if (this.ready) void this.send(this.client.ping());
    }, this.options.pingMs);
    this.pinger.unref();
  }

  get ready(): boolean {
    return !this.closed && this.client.status === 'ready';
  }

  /** Starts connecting, and goes on for ever. */
  start(): void {
    if (!this.closed && this.client.status === 'wait') this.client.connect().catch(() => undefined);
  }

  /** Sends `text` to all who listen now. Resolves when Redis has it, or at once when it cannot be sent. */
  async publish(channel: string, text: string): Promise<void> {
    this.start();
    if (!this.ready) return;
    await this.send(this.client.publish(this.options.keyPrefix + channel, text));
  }

  /** Hears every text published to `channel` from now on, by this pod too. Returns the undo. */
  subscribe(channel: string, listener: Listener): () => void {
    const key = this.options.keyPrefix + channel;
    const known = this.listeners.get(key);
    const all = known ?? new Set<Listener>();
    all.add(listener);
    if (!known) {
      this.listeners.set(key, all);
      this.start();
      if (this.ready) void this.send(this.client.subscribe(key));
    }
    return () => this.unsubscribe(key, listener);
  }

  /** Closes for good, in order within `deadlineMs`. */
  async close(deadlineMs: number): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    clearInterval(this.pinger);
    this.listeners.clear();
    await closeClient(this.client, deadlineMs);
  }

  private async send(command: Promise<unknown>): Promise<void> {
    this.owed.add(command);
    await command.catch(() => undefined);
    this.owed.delete(command);
  }

  private unsubscribe(key: string, listener: Listener): void {
    const all = this.listeners.get(key);
    if (!all?.delete(listener) || all.size > 0) return;
    this.listeners.delete(key);
    if (this.ready) void this.send(this.client.unsubscribe(key));
  }

  private resubscribe(): void {
    const channels = [...this.listeners.keys()];
    if (channels.length > 0) void this.send(this.client.subscribe(...channels));
  }

  private deliver(key: string, text: string): void {
    for (const listener of [...(this.listeners.get(key) ?? [])]) {
      try {
        listener(text);
      } catch (err) {
        this.options.logger.error({ redis: this.options.name, err }, 'a listener of an edge failed');
      }
    }
  }
}
