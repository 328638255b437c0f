import { Fleet, peakUnits, type Doubles, type FleetOptions, type Start } from './fleet.js';

/** What a run shows that must not be; empty when all is well. */
export type Violations = readonly unknown[];
/** One check of a fleet of two or three pods at R = 200; `doubles` put something faulty in the place of a part. */
export type Check = (doubles: Doubles) => Promise<Violations>;

const R = 200;
/** A press is heard of on every pod within this time, ms. */
const HEARD_MS = 5;

function make(doubles: Doubles, over: Partial<FleetOptions> = {}): Fleet {
  return new Fleet({ ratePerSecond: R, pods: 2, ...over, doubles });
}
function flooded(doubles: Doubles, floods: number, over: Partial<FleetOptions> = {}): Fleet {
  const fleet = make(doubles, over);
  for (let pod = 0; pod < floods; pod++) fleet.lane(pod, 'P3').flood(() => 1);
  return fleet;
}
async function during(fleet: Fleet, ms: number): Promise<Start[]> {
  const from = fleet.time.monotonic();
  await fleet.time.run(ms);
  return fleet.starts.filter((s) => s.atMs > from);
}
const lower = (starts: readonly Start[]): Start[] => starts.filter((s) => s.priority !== 'P1');
const tooMany = (fleet: Fleet): Violations => {
  const units = peakUnits(fleet.starts);
  return units > R * 1.02 + 1 ? [{ units }] : [];
};

/** P1 presses at another pod for a second: P3 starts nothing. */
export const p1StopsP3: Check = async (doubles) => {
  const fleet = flooded(doubles, 1);
  await fleet.time.run(1000);
  fleet.lane(1, 'P1').joined.pressAccount('throttled', fleet.time.monotonic() + 1000);
  await fleet.time.run(HEARD_MS);
  return during(fleet, 1000);
};

/** Two pods hold; the first ends: P3 starts nothing until the second ends as well. */
export const everyHolderCounts: Check = async (doubles) => {
  const fleet = flooded(doubles, 1, { pods: 3 });
  await fleet.time.run(1000);
  const now = fleet.time.monotonic();
  fleet.lane(1, 'P1').joined.pressAccount('throttled', now + 200);
  fleet.lane(2, 'P1').joined.pressAccount('failing', now + 900);
  await fleet.time.run(HEARD_MS);
  return during(fleet, 900);
};

/** P3 goes on within 250 ms of the end of each of twenty presses. */
export const nothingSleepsOn: Check = async (doubles) => {
  const fleet = flooded(doubles, 1);
  await fleet.time.run(1000);
  const late: unknown[] = [];
  for (let i = 0; i < 20; i++) {
    const until = fleet.time.monotonic() + 130 + i * 7;
    fleet.lane(1, 'P1').joined.pressAccount('throttled', until);
    await fleet.time.run(600);
    const first = fleet.starts.find((s) => s.atMs > until);
    if ((first?.atMs ?? Infinity) - until > 250) late.push({ until, first });
  }
  return late;
};

/** A backlog of P3 stops within 5 ms of a burst of P1 at another pod, not at the end of its slice. */
export const sliceStops: Check = async (doubles) => {
  const fleet = make(doubles);
  for (let i = 0; i < 1000; i++) fleet.lane(0, 'P3').arrive(1);
  await fleet.time.run(1000);
  for (let i = 0; i < 100; i++) fleet.lane(1, 'P1').arrive(1);
  await fleet.time.run(HEARD_MS + 25);
  const starts = await during(fleet, 500);
  const lastP1 = starts.findLastIndex((s) => s.priority === 'P1');
  return lower(starts.slice(0, lastP1 + 1));
};

/** No pod starts P3 for 99 ms after the end of a press. */
export const holdLasts: Check = async (doubles) => {
  const fleet = flooded(doubles, 2);
  await fleet.time.run(1000);
  const until = fleet.time.monotonic() + 300;
  fleet.lane(1, 'P1').joined.pressAccount('throttled', until);
  await fleet.time.run(800);
  return fleet.starts.filter((s) => s.atMs > until - 250 && s.atMs < until + 99);
};

/** With the coordinator silent, P1 goes on at each pod. */
export const silenceIsNoRefusal: Check = async (doubles) => {
  const fleet = flooded(doubles, 2);
  await fleet.time.run(1000);
  for (const w of fleet.wires) w.cut = true;
  await fleet.time.run(1500);
  for (const pod of [0, 1]) for (let i = 0; i < 5; i++) fleet.lane(pod, 'P1').arrive(1);
  await fleet.time.run(500);
  return [0, 1].flatMap((pod) => fleet.lane(pod, 'P1').queue);
};

/** Pods come under a full load: R is kept. */
export const newcomersKeepR: Check = async (doubles) => {
  const fleet = flooded(doubles, 2);
  await fleet.time.run(1500);
  for (let i = 0; i < 2; i++) {
    const pod = fleet.addPod(R);
    fleet.lane(pod, 'P3').flood(() => 1);
    await fleet.time.run(100);
  }
  await fleet.time.run(1500);
  return tooMany(fleet);
};

/** The coordinator loses its memory again and again under a full load: R is kept. */
export const restartsKeepR: Check = async (doubles) => {
  const fleet = flooded(doubles, 2);
  await fleet.time.run(1500);
  for (let i = 0; i < 5; i++) {
    fleet.coordinator.forget();
    await fleet.time.run(400);
  }
  return tooMany(fleet);
};

/** P1 takes all of R, the standing stock with it: R is kept. */
export const stockIsFilledOnce: Check = async (doubles) => {
  const fleet = make(doubles);
  await fleet.time.run(1000);
  for (let i = 0; i < 300; i++) for (const pod of [0, 1]) fleet.lane(pod, 'P1').arrive(1);
  await fleet.time.run(2500);
  return tooMany(fleet);
};

/** Pods that sleep a little again and again do not catch up. */
export const lateDeparturesLapse: Check = async (doubles) => {
  const fleet = flooded(doubles, 2);
  await fleet.time.run(1500);
  for (let i = 0; i < 6; i++) {
    for (const pod of [0, 1]) fleet.freeze(pod, 90);
    await fleet.time.run(90 + 1000);
  }
  return tooMany(fleet);
};

/** Pods whose clocks differ by seconds share R as others do. */
export const clocksOfPodsDoNotMatter: Check = async (doubles) => {
  const fleet = flooded(doubles, 2, { podsAheadMs: [0, 5000] });
  await fleet.time.run(1500);
  const starts = await during(fleet, 2000);
  return [...tooMany(fleet), ...(starts.length < R * 2 * 0.95 ? [{ used: starts.length }] : [])];
};
