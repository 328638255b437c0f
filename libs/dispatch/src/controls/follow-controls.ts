import { mutexModeOf, type Catalogue } from '@commservice/contracts';
import type { ScopeMutex } from '@commservice/priority-mutex';
import type { LaneWorker } from '../lane-worker.js';
import type { LaneControls } from './lane-controls.js';

export interface FollowParts {
  readonly controls: LaneControls;
  readonly catalogue: Catalogue;
  readonly scopes: ReadonlyMap<string, Pick<ScopeMutex, 'setMode'>>;
  readonly lanes: readonly { readonly worker: Pick<LaneWorker, 'pump'> }[];
}

/** Makes what operators order hold in this process, now and at every change: modes of scopes, and lanes look again. */
export function followControls({ controls, catalogue, scopes, lanes }: FollowParts): void {
  const follow = (): void => {
    for (const [scope, mutex] of scopes)
      mutex.setMode(controls.modeOf(scope)?.value ?? mutexModeOf(catalogue, scope));
    for (const lane of lanes) lane.worker.pump();
  };
  controls.onChange(follow);
  follow();
}
