import { z } from 'zod';
import { brandLimitSchema, recipientLimitSchema } from './catalogue-limits.js';
import { mutexSchema, timingFaults, type MutexMode } from './catalogue-mutex.js';
import { nameSchema as name } from './catalogue-name.js';
import { CHANNELS, PRIORITIES, channelSchema, prioritySchema, type Channel } from './channel.js';
import type { PerBrand } from './lane.js';

/** ISO 8601 duration of days, hours, minutes and seconds, for example `PT3M`. */
export const durationSchema = z
  .string()
  .regex(
    /^P(?=\d|T\d)(\d{1,3}D)?(T(?=\d)(\d{1,4}H)?(\d{1,5}M)?(\d{1,6}S)?)?$/,
    'a positive ISO 8601 duration such as PT3M',
  );

/** Milliseconds of a duration that `durationSchema` took. */
export function durationMs(iso: string): number {
  const m = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(iso);
  const [d, h, min, s] = [1, 2, 3, 4].map((i) => Number(m?.[i] ?? 0)) as [number, number, number, number];
  return (((d * 24 + h) * 60 + min) * 60 + s) * 1000;
}

/** Seconds written for milliseconds would time every call out with its effect unknown. */
const timeoutMs = z.number().int().min(100);

/** A contract with a provider. Its name is also the scope that lanes compete for. */
const accountSchema = z.strictObject({
  channel: channelSchema,
  /** R: units per second the contract allows. */
  ratePerSecond: z.number().positive(),
  /** What R counts. */
  unit: z.enum(['call', 'message', 'part', 'recipient']),
  /** Most calls in the air at once, over all pods. */
  inFlight: z.number().int().min(1),
  weight: z.number().int().min(0).default(100),
  /** Longest wait for one answer, by class. */
  timeoutMs: z.strictObject({ P1: timeoutMs, P2: timeoutMs, P3: timeoutMs }),
  /** Whether the vendor recognises a repeated send by its key. */
  idempotent: z.boolean(),
  /** Narrow limits: a message over one waits, and others go past it. Default: none. */
  brandLimits: z.record(name, brandLimitSchema).optional(),
  recipientLimit: recipientLimitSchema.optional(),
});

const channelEntrySchema = z.strictObject({
  /** Classes with a topic per brand. */
  perBrand: z.array(prioritySchema).default([]),
  /** Which account serves which brand; `brand: "*"` serves all others. */
  routes: z.array(z.strictObject({ brand: z.string(), account: name })).min(1),
  /** Accounts that P1, and only P1, may fail over to. */
  p1Failover: z.array(name).default([]),
  /** sms: countries whose numbers are accepted (ISO 3166 alpha-2). */
  countries: z.array(z.string().length(2)).default([]),
});

const categorySchema = z.strictObject({
  priority: prioritySchema,
  channels: z.array(channelSchema).min(1),
  ttl: durationSchema,
  /** Whether batches of ≥ 200 recipients keep the class (P2 only); P3 always may, P1 never. */
  bulk: z.boolean().default(false),
  /** Teams that may use it; absent = all. */
  teams: z.array(name).optional(),
});

const teamSchema = z.strictObject({
  brands: z.array(name).min(1),
  /** Ceiling of the team's P1 messages, sustained and burst; over all teams an account's P1 is held to 80 % of R as well. */
  p1: z.strictObject({ perSecond: z.number().positive(), burst: z.number().int().min(1) }),
});

const keySchema = z.strictObject({
  id: name,
  team: name,
  /** live: everything · team: own guest list only · test: the full path with a fake provider · ops: operator rights. */
  kind: z.enum(['live', 'team', 'test', 'ops']),
  /** SHA-256 of the key, hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Refused when NODE_ENV=production. */
  developmentOnly: z.boolean().default(false),
});

const shapeSchema = z.strictObject({
  /** Raised by one with every change; leases carry it. */
  version: z.number().int().min(1),
  brands: z.array(name).min(1),
  channels: z.strictObject({
    sms: channelEntrySchema,
    push: channelEntrySchema,
    email: channelEntrySchema,
    messenger: channelEntrySchema,
  }),
  accounts: z.record(name, accountSchema),
  /** Share of R reserved for each class; they sum to 1. */
  classShares: z.strictObject({
    P1: z.number().positive(),
    P2: z.number().positive(),
    P3: z.number().positive(),
  }),
  mutex: mutexSchema,
  categories: z.record(name, categorySchema),
  teams: z.record(name, teamSchema),
  keys: z.array(keySchema),
});

type Shape = z.infer<typeof shapeSchema>;
type Fault = (path: (string | number)[], message: string) => void;

function checkRoutes(c: Shape, fault: Fault): void {
  for (const channel of CHANNELS) {
    const entry = c.channels[channel];
    for (const [i, { account }] of entry.routes.entries()) {
      const path = ['channels', channel, 'routes', i, 'account'];
      if (!c.accounts[account]) fault(path, 'names no account');
      else if (c.accounts[account].channel !== channel) fault(path, 'names an account of another channel');
    }
    for (const [i, account] of entry.p1Failover.entries()) {
      if (c.accounts[account]?.channel !== channel)
        fault(['channels', channel, 'p1Failover', i], 'names no account of this channel');
    }
    const accounts = new Set(c.brands.map((brand) => accountOf(c, channel, brand)));
    if (accounts.size > 1 && entry.perBrand.length < PRIORITIES.length) {
      fault(
        ['channels', channel, 'perBrand'],
        'must hold all classes where brands have accounts of their own: a lane belongs to one account',
      );
    }
    for (const brand of c.brands) {
      if (!entry.routes.some((r) => r.brand === brand || r.brand === '*'))
        fault(['channels', channel, 'routes'], `has no route for brand ${brand}`);
    }
  }
}

function checkReferences(c: Shape, fault: Fault): void {
  const sum = c.classShares.P1 + c.classShares.P2 + c.classShares.P3;
  if (Math.abs(sum - 1) > 1e-9) fault(['classShares'], 'must sum to 1');
  for (const [team, t] of Object.entries(c.teams)) {
    for (const [i, b] of t.brands.entries())
      if (!c.brands.includes(b)) fault(['teams', team, 'brands', i], 'names no brand');
  }
  for (const [i, k] of c.keys.entries()) if (!c.teams[k.team]) fault(['keys', i, 'team'], 'names no team');
  for (const [account, { brandLimits }] of Object.entries(c.accounts)) {
    for (const brand of Object.keys(brandLimits ?? {}))
      if (!c.brands.includes(brand)) fault(['accounts', account, 'brandLimits', brand], 'names no brand');
  }
  for (const { field, rule } of timingFaults(c.mutex.timing)) fault(['mutex', 'timing', field], rule);
  for (const scope of Object.keys(c.mutex.scopes))
    if (!c.accounts[scope]) fault(['mutex', 'scopes', scope], 'names no account');
  for (const [category, { teams }] of Object.entries(c.categories)) {
    for (const [i, t] of (teams ?? []).entries())
      if (!c.teams[t]) fault(['categories', category, 'teams', i], 'names no team');
  }
}

/** The catalogue: the governed properties of categories, teams, accounts and shares. Cross-checked; faults name paths. */
export const catalogueSchema = shapeSchema.superRefine((c, ctx) => {
  const fault: Fault = (path, message) => ctx.addIssue({ code: 'custom', path, message });
  checkRoutes(c, fault);
  checkReferences(c, fault);
});
export type Catalogue = z.infer<typeof catalogueSchema>;
export type Account = Catalogue['accounts'][string];
export type Category = Catalogue['categories'][string];
export type CatalogueKey = Catalogue['keys'][number];

/** The account that serves a brand on a channel; undefined when the catalogue routes it nowhere. */
export function accountOf(
  c: Pick<Catalogue, 'channels'>,
  channel: Channel,
  brand: string,
): string | undefined {
  const routes = c.channels[channel].routes;
  return (routes.find((r) => r.brand === brand) ?? routes.find((r) => r.brand === '*'))?.account;
}

/** Which classes of which channel have a topic per brand. */
export function perBrandOf(c: Pick<Catalogue, 'channels'>): PerBrand {
  return Object.fromEntries(CHANNELS.map((ch) => [ch, c.channels[ch].perBrand]));
}

/** The mutex mode of a scope. */
export const mutexModeOf = (c: Pick<Catalogue, 'mutex'>, scope: string): MutexMode =>
  c.mutex.scopes[scope] ?? c.mutex.default;
