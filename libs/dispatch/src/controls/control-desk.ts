import { faultsOf } from '@commservice/accept';
import { mutexModeOf, type Catalogue, type FieldError, type MutexMode } from '@commservice/contracts';
import { sqlFaultOf, type ControlOrder, type LaneControlStore } from '@commservice/postgres';
import type { z } from 'zod';
import * as words from './control-words.js';
import { modeBody, reasonBody, type ModeBody } from './control-orders.js';
import type { LaneControls } from './lane-controls.js';

/** What holds now, in plain words and in data. */
export interface ControlAnswer {
  readonly says: string;
  /** ISO 8601; absent where nothing was changed and nothing is held. */
  readonly since?: string;
  /** Key id of who ordered what holds. */
  readonly by?: string;
  readonly reason?: string;
  readonly lane?: string;
  readonly paused?: boolean;
  readonly scope?: string;
  readonly mode?: MutexMode;
  readonly origin?: 'catalogue' | 'operator';
}

/** `unavailable`: PostgreSQL did not take the order; send it again. */
export type ControlResult =
  | { readonly kind: 'done'; readonly answer: ControlAnswer }
  | { readonly kind: 'unknown'; readonly what: 'lane' | 'scope'; readonly known: readonly string[] }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'unavailable' };

export interface ControlDeskOptions {
  readonly store: Pick<LaneControlStore, 'set' | 'clear'>;
  readonly controls: Pick<LaneControls, 'refresh'>;
  /** The one in force: its modes are those that an order's end brings back. */
  readonly catalogue: () => Pick<Catalogue, 'mutex'>;
  /** Lanes of the channel, also those that other pods run. */
  readonly lanes: readonly string[];
  /** Accounts of the channel. */
  readonly scopes: readonly string[];
}

type Work = (reason: string) => Promise<ControlAnswer>;

/**
 * Takes operators' orders about lanes and scopes: checks, stores, makes them hold in this process at once (the other pods
 * follow by their polls), answers what holds now. Caller: ControlsController.
 */
export class ControlDesk {
  constructor(private readonly options: ControlDeskOptions) {}

  /** @param actor key id of the operator */
  pause(lane: string, body: unknown, actor: string): Promise<ControlResult> {
    return this.onLane(lane, body, async (reason) => {
      const order = { ...laneOrder(lane, reason, actor), action: 'lane.pause', value: 'paused' };
      const { control, changed } = await this.options.store.set(order);
      return { lane, paused: true, ...words.held(control), says: words.paused(control, changed) };
    });
  }

  resume(lane: string, body: unknown, actor: string): Promise<ControlResult> {
    return this.onLane(lane, body, async (reason) => {
      const { was, at } = await this.options.store.clear({
        ...laneOrder(lane, reason, actor),
        action: 'lane.resume',
      });
      if (!was) return { lane, paused: false, says: words.notPaused(lane) };
      const now = { actor, at, reason };
      return { lane, paused: false, ...words.held(now), says: words.resumed(was, now) };
    });
  }

  setMode(scope: string, body: unknown, actor: string): Promise<ControlResult> {
    return this.onScope(scope, modeBody, body, async ({ mode, reason }: ModeBody) => {
      const order = { ...scopeOrder(scope, reason, actor), action: 'scope.mode', value: mode };
      const { control, changed } = await this.options.store.set(order);
      return {
        scope,
        mode,
        origin: 'operator',
        ...words.held(control),
        says: words.modeSet(control, changed),
      };
    });
  }

  clearMode(scope: string, body: unknown, actor: string): Promise<ControlResult> {
    return this.onScope(scope, reasonBody, body, async ({ reason }) => {
      const mode = mutexModeOf(this.options.catalogue(), scope);
      const order = { ...scopeOrder(scope, reason, actor), action: 'scope.mode.clear' };
      const { was, at } = await this.options.store.clear(order);
      if (!was) return { scope, mode, origin: 'catalogue', says: words.modeNotSet(scope, mode) };
      const now = { actor, at, reason };
      return {
        scope,
        mode,
        origin: 'catalogue',
        ...words.held(now),
        says: words.modeCleared(was, mode, now),
      };
    });
  }

  private onLane(lane: string, body: unknown, work: Work): Promise<ControlResult> {
    const known = this.options.lanes;
    if (!known.includes(lane)) return Promise.resolve({ kind: 'unknown', what: 'lane', known });
    return this.checked(reasonBody, body, ({ reason }) => work(reason));
  }

  private onScope<T>(
    scope: string,
    schema: z.ZodType<T>,
    body: unknown,
    work: (body: T) => Promise<ControlAnswer>,
  ): Promise<ControlResult> {
    const known = this.options.scopes;
    if (!known.includes(scope)) return Promise.resolve({ kind: 'unknown', what: 'scope', known });
    return this.checked(schema, body, work);
  }

  private async checked<T>(
    schema: z.ZodType<T>,
    body: unknown,
    work: (body: T) => Promise<ControlAnswer>,
  ): Promise<ControlResult> {
    const given = body ?? {};
    const parsed = schema.safeParse(given);
    if (!parsed.success) return { kind: 'invalid', errors: faultsOf(parsed.error.issues, given) };
    try {
      const answer = await work(parsed.data);
      // what is stored holds, whether this look succeeds or the next poll's
      await this.options.controls.refresh();
      return { kind: 'done', answer };
    } catch (error) {
      if (sqlFaultOf(error) !== 'unavailable') throw error;
      return { kind: 'unavailable' };
    }
  }
}

type Order = Omit<ControlOrder, 'action'>;

const laneOrder = (name: string, reason: string, actor: string): Order => ({
  ...{ kind: 'lane-pause', name, reason, actor },
});
const scopeOrder = (name: string, reason: string, actor: string): Order => ({
  ...{ kind: 'scope-mode', name, reason, actor },
});
