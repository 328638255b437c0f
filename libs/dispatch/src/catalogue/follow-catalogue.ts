import type { Catalogue } from '@commservice/contracts';
import type { ScopeMutex } from '@commservice/priority-mutex';
import type { AccountState } from '../account/account-state.js';
import type { LaneWorker } from '../lane-worker.js';
import type { LiveCatalogue } from './live-catalogue.js';

export interface FollowCatalogueParts {
  readonly live: Pick<LiveCatalogue, 'onChange'>;
  readonly accounts: ReadonlyMap<string, Pick<AccountState, 'account' | 'follow'>>;
  readonly scopes: ReadonlyMap<string, Pick<ScopeMutex, 'setContract'>>;
  readonly lanes: readonly { readonly worker: Pick<LaneWorker, 'pump'> }[];
}

/**
 * Makes each later catalogue hold in this process: the contracts of its accounts and scopes; then lanes look again. An
 * account that the catalogue no longer has keeps its last contract until a restart. Modes: `followControls`.
 */
export function followCatalogue({ live, accounts, scopes, lanes }: FollowCatalogueParts): void {
  live.onChange((catalogue: Catalogue) => {
    for (const [name, state] of accounts) {
      const account = catalogue.accounts[name];
      if (account) state.follow(account);
      const { ratePerSecond } = state.account;
      const contract = { shares: catalogue.classShares, catalogueVersion: catalogue.version };
      scopes.get(name)?.setContract({ ratePerSecond, ...contract });
    }
    for (const lane of lanes) lane.worker.pump();
  });
}
