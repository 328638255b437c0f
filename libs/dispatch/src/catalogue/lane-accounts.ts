import { accountOf, type Catalogue, type Lane } from '@commservice/contracts';

/** The account of a lane. All brands of a lane without a brand go to one account: the catalogue sees to it. */
export function accountOfLane(catalogue: Catalogue, lane: Lane): string {
  const account = accountOf(catalogue, lane.channel, lane.brand ?? (catalogue.brands[0] as string));
  if (account !== undefined) return account;
  throw new Error(`the catalogue routes ${lane.channel} of brand ${lane.brand ?? 'any'} nowhere`);
}

/** The accounts of a lane: its own, then those its P1 may fail over to. */
export function accountsOfLane(catalogue: Catalogue, lane: Lane): string[] {
  const own = accountOfLane(catalogue, lane);
  const others = lane.priority === 'P1' ? catalogue.channels[lane.channel].p1Failover : [];
  return [own, ...others.filter((name) => name !== own)];
}
