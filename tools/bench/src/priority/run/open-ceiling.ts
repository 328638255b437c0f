import { P1Ceiling, type LimitView } from '@commservice/accept';

const OPEN: LimitView = { name: 'p1-per-team', perSecond: Infinity, burst: Infinity, remaining: Infinity };

/** Lets every P1 in: what is measured is how dispatchers bear the load, at 100 % of R too. */
export class OpenCeiling extends P1Ceiling {
  override charge(): { kind: 'granted'; view: LimitView } {
    return { kind: 'granted', view: OPEN };
  }
}
