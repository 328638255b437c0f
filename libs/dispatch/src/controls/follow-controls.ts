import { mutexModeOf, type Catalogue, type MutexMode } from '@commservice/contracts';
import type { ScopeMutex } from '@commservice/priority-mutex';
import type { LiveCatalogue } from '../catalogue/live-catalogue.js';
import type { LaneWorker } from '../lane-worker.js';
import type { LaneControls } from './lane-controls.js';

/** The mode that counts for a scope: an operator's, else the catalogue's. */
export const modeInForce = (
  controls: Pick<LaneControls, 'modeOf'>,
  catalogue: Pick<Catalogue, 'mutex'>,
  scope: string,
): MutexMode => controls.modeOf(scope)?.value ?? mutexModeOf(catalogue, scope);

export interface FollowParts {
  readonly controls: LaneControls;
  readonly live: Pick<LiveCatalogue, 'current' | 'onChange'>;
  readonly scopes: ReadonlyMap<string, Pick<ScopeMutex, 'setMode'>>;
  readonly lanes: readonly { readonly worker: Pick<LaneWorker, 'pump'> }[];
}

/**
 * Makes what operators order hold in this process, now and at every change of an order or of the catalogue: modes of scopes,
 * and lanes look again. An order counts over the catalogue.
 */
export function followControls({ controls, live, scopes, lanes }: FollowParts): void {
  const follow = (): void => {
    for (const [scope, mutex] of scopes) mutex.setMode(modeInForce(controls, live.current, scope));
    for (const lane of lanes) lane.worker.pump();
  };
  controls.onChange(follow);
  live.onChange(follow);
  follow();
}
