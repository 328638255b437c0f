/** A rule of the coordinator that did not hold. */
export class RuleBroken extends Error {
  constructor(
    readonly rule: Rule,
    detail: unknown,
  ) {
    super(`${rule}: ${JSON.stringify(detail)}`);
  }
}

export type Rule =
  | 'at most R units in any second'
  | 'a slot has one owner'
  | 'departures lie within the horizon'
  | 'nothing ordinary for a blocked class'
  | 'the minimum share by its rule only'
  | 'holds are counted and only extended'
  | 'the smallest live R counts'
  | 'a state lives until it is lost'
  | 'the standing stock has a bound'
  | 'the books agree';
