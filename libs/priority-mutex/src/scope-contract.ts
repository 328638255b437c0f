import type { Priority } from '@commservice/contracts';

/** What the catalogue says of a scope. All of it may change while the scope runs: `ScopeMutex.setContract`. */
export interface ScopeContract {
  /** R, units per second; > 0. */
  readonly ratePerSecond: number;
  /** Part of R reserved for each class; sums to 1. */
  readonly shares: Readonly<Record<Priority, number>>;
  /** Version of the catalogue that says so; a lease carries it. */
  readonly catalogueVersion: number;
}

/** What a pod last agreed on with the coordinator: alone, it spends no more than its part of that. */
export type AgreedContract = Pick<ScopeContract, 'ratePerSecond' | 'shares'>;

/** Throws on a contract that breaks a rule, naming the field. */
export function checkContract(contract: ScopeContract): void {
  const { ratePerSecond, shares, catalogueVersion } = contract;
  const fault = (field: string, rule: string): never => {
    throw new RangeError(`priority-mutex: ${field} ${rule}`);
  };
  if (!(ratePerSecond > 0 && Number.isFinite(ratePerSecond))) fault('ratePerSecond', 'must be above 0');
  if (Object.values(shares).some((share) => !(share >= 0))) fault('shares', 'must not be below 0');
  if (Math.abs(shares.P1 + shares.P2 + shares.P3 - 1) > 1e-9) fault('shares', 'must sum to 1');
  if (!Number.isSafeInteger(catalogueVersion)) fault('catalogueVersion', 'must be a whole number');
}

/** The contract that a pod alone grants by: never more than it last agreed on, nor more than its catalogue says now. */
export const contractAlone = (own: ScopeContract, agreed: AgreedContract | undefined): AgreedContract =>
  agreed ? { ratePerSecond: Math.min(own.ratePerSecond, agreed.ratePerSecond), shares: agreed.shares } : own;
