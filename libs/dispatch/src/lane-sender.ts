import type { Lane, Provider } from '@commservice/contracts';
import type { ScopeMutex, Seat } from '@commservice/priority-mutex';
import type { AccountState } from './account/account-state.js';
import type { LaneItem } from './lane-item.js';
import type { LaneWorker } from './lane-worker.js';
import { Routes } from './routes.js';
import { SendStep, type SendStepOptions } from './steps/send.js';
import type { Verdict } from './steps/verdict.js';

/** One account as a lane reaches it: lanes share accounts and scopes, and never a provider's connections. */
export interface LaneAccount {
  readonly account: AccountState;
  readonly scope: ScopeMutex;
  readonly provider: Provider;
}

type SenderOptions = Omit<SendStepOptions, 'account' | 'provider' | 'another' | 'onAccountTrouble'>;

/**
 * A lane's way to its accounts: a send step and a seat for each. Seats are taken by `join`, left by the worker.
 * Callers: DispatchLane; the lane's Nest handler (handle).
 */
export class LaneSender {
  readonly routes: Routes;
  private readonly steps: readonly SendStep[];
  private seats: readonly Seat[] = [];

  constructor(
    private readonly lane: Lane,
    private readonly accounts: readonly LaneAccount[],
    private readonly options: SenderOptions,
  ) {
    this.routes = new Routes(
      lane.priority,
      accounts.map((a) => a.account),
      accounts.map(
        ({ provider }) =>
          () =>
            provider.ready?.() ?? true,
      ),
    );
    this.steps = accounts.map(({ account, provider }, route) => this.step(account, provider, route));
  }

  /** Takes a seat at every account's scope for `worker`. */
  join(worker: LaneWorker): readonly Seat[] {
    this.seats = this.accounts.map(({ scope }, i) => scope.join(this.lane.priority, worker.seatFor(i)));
    return this.seats;
  }

  /** Sends the records a slot took, side by side, each to the account chosen for it. */
  handle(slice: readonly LaneItem[]): Promise<readonly Verdict[]> {
    return Promise.all(
      slice.map((item) => {
        if (item.route > 0) this.countFailover(item.route);
        item.narrow?.started();
        return (this.steps[item.route] as SendStep).send(item);
      }),
    );
  }

  private step(account: AccountState, provider: Provider, route: number): SendStep {
    return new SendStep({
      ...this.options,
      account,
      provider,
      another: (item) => this.routes.another(item),
      onAccountTrouble: (reason, untilMs) => this.seats[route]?.pressAccount(reason, untilMs),
    });
  }

  private countFailover(route: number): void {
    this.options.metrics.failovers.add(1, {
      channel: this.lane.channel,
      from_account: this.routes.at(0).name,
      to_account: this.routes.at(route).name,
    });
  }
}
