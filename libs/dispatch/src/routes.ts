import type { Message, Priority } from '@commservice/contracts';
import type { AccountState } from './account/account-state.js';
import type { LaneItem } from './lane-item.js';

/** Which account a record goes to now, by index, or why to none. */
export type RouteChoice =
  | { readonly kind: 'go'; readonly route: number }
  | { readonly kind: 'wait'; readonly cause: 'slot' | 'provider'; readonly waitMs: number };

/** What decides about one record's way. */
type Routed = Pick<LaneItem, 'avoid'> & { readonly message: Pick<Message, 'kind'> };

/**
 * The accounts of one lane: its own first, then those that P1, and only P1, may fail over to. A record goes to the first
 * that answers, has a slot and has not just failed it; without another one it stays with its own. Pure but for the accounts.
 * Callers: LaneWorker (choose), SendStep (another).
 */
export class Routes {
  private readonly go: readonly RouteChoice[];

  constructor(
    private readonly priority: Priority,
    /** At least one; at most 31. */
    readonly accounts: readonly AccountState[],
    /** By account: whether a call made now leaves at once (`Provider.ready`). Default: always. */
    private readonly leavesAtOnce: readonly (() => boolean)[] = [],
  ) {
    this.go = accounts.map((_, route) => ({ kind: 'go', route }));
  }

  at(route: number): AccountState {
    return this.accounts[route] as AccountState;
  }

  /** Whether a call to this account made now leaves at once; else one asks again in a moment, before a token is taken. */
  ready(route: number): boolean {
    return this.leavesAtOnce[route]?.() ?? true;
  }

  /** @param item absent = any record of the lane */
  choose(item?: Routed): RouteChoice {
    let last = -1;
    for (let i = 0; i < this.accounts.length; i++) {
      const account = this.at(i);
      if (!this.isFree(account)) continue;
      if (this.accounts.length === 1 || this.suits(account, i, item)) return this.go[i] as RouteChoice;
      if (last < 0) last = i;
    }
    if (last >= 0) return this.go[last] as RouteChoice;
    const waitMs = Math.min(...this.accounts.map((a) => a.waitMs(this.priority)));
    return { kind: 'wait', cause: waitMs > 0 ? 'provider' : 'slot', waitMs };
  }

  /** Whether a record that its present account failed can go to another at once. */
  another(item: Routed & Pick<LaneItem, 'route'>): boolean {
    return this.accounts.some(
      (account, i) => i !== item.route && this.suits(account, i, item) && this.isFree(account),
    );
  }

  private isFree(account: AccountState): boolean {
    return account.hasSlot(this.priority) && account.mayStart(this.priority);
  }

  /** A heartbeat asks a silent account whether it is back, so that no code has to. */
  private suits(account: AccountState, route: number, item: Routed | undefined): boolean {
    if (((item?.avoid ?? 0) >> route) & 1) return false;
    return !account.silent || item?.message.kind === 'heartbeat';
  }
}
