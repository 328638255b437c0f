import type { Catalogue, Clock } from '@commservice/contracts';
import { TokenBucket } from './token-bucket.js';

/** Share of an account's rate that P1 may be promised, over all teams. */
const P1_SHARE_OF_ACCOUNT = 0.8;

/** What a limit looks like from outside: for `RateLimit` headers. */
export interface LimitView {
  readonly name: 'p1-per-team' | 'p1-per-account';
  readonly perSecond: number;
  readonly burst: number;
  readonly remaining: number;
}

export type LimitResult =
  { kind: 'granted'; view: LimitView } | { kind: 'limited'; view: LimitView; retryAfterMs: number };

export interface P1CeilingOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** This process's share of every ceiling, 0–1: 1 / number of ingest processes. Default 1. */
  readonly share?: number;
}

/** One P1 message to be counted. */
export interface P1Charge {
  readonly team: string;
  readonly account: string;
  /** Billing units in the account's unit; a team's ceiling counts messages. */
  readonly units: number;
}

/**
 * Holds P1 to its ceilings: per team as the catalogue says, and per account 80 % of R over all teams with the largest
 * burst of any team. Both are asked before either is charged. Called once per P1 message by the acceptor, last of all
 * checks, so that a refused message costs nothing.
 */
export class P1Ceiling {
  private readonly teams = new Map<string, TokenBucket>();
  private readonly accounts = new Map<string, TokenBucket>();
  private readonly share: number;

  constructor(private readonly options: P1CeilingOptions) {
    this.share = options.share ?? 1;
  }

  charge(catalogue: Catalogue, { team, account, units }: P1Charge): LimitResult {
    const nowMs = this.options.clock.monotonic();
    const teamLimit = catalogue.teams[team]?.p1 ?? { perSecond: 0.001, burst: 1 };
    const accountRate = (catalogue.accounts[account]?.ratePerSecond ?? 0.001) * P1_SHARE_OF_ACCOUNT;
    const accountBurst = Math.max(...Object.values(catalogue.teams).map((t) => t.p1.burst));
    const ofTeam = this.bucket(this.teams, team, teamLimit.perSecond, teamLimit.burst, nowMs);
    const ofAccount = this.bucket(this.accounts, account, accountRate, accountBurst, nowMs);
    const view = (
      name: LimitView['name'],
      bucket: TokenBucket,
      perSecond: number,
      burst: number,
    ): LimitView => ({
      name,
      perSecond: perSecond * this.share,
      burst: Math.max(1, Math.floor(burst * this.share)),
      remaining: Math.max(0, bucket.available(nowMs)),
    });
    const teamWaitMs = ofTeam.waitMs(1, nowMs);
    if (teamWaitMs > 0) {
      return {
        kind: 'limited',
        view: view('p1-per-team', ofTeam, teamLimit.perSecond, teamLimit.burst),
        retryAfterMs: teamWaitMs,
      };
    }
    const accountWaitMs = ofAccount.waitMs(units, nowMs);
    if (accountWaitMs > 0) {
      return {
        kind: 'limited',
        view: view('p1-per-account', ofAccount, accountRate, accountBurst),
        retryAfterMs: accountWaitMs,
      };
    }
    ofTeam.take(1);
    ofAccount.take(units);
    return { kind: 'granted', view: view('p1-per-team', ofTeam, teamLimit.perSecond, teamLimit.burst) };
  }

  private bucket(
    of: Map<string, TokenBucket>,
    name: string,
    perSecond: number,
    burst: number,
    nowMs: number,
  ): TokenBucket {
    const rate = perSecond * this.share;
    const size = Math.max(1, Math.floor(burst * this.share));
    const known = of.get(name);
    if (known) {
      known.resize(rate, size, nowMs);
      return known;
    }
    const made = new TokenBucket(rate, size, nowMs);
    of.set(name, made);
    return made;
  }
}
