import { CHANNELS, type Channel } from '@commservice/contracts';
import { z } from 'zod';

const share = z.number().min(0).max(1);
const pattern = z.string().max(1000).refine(compiles, 'is no regular expression');

function compiles(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}

/** What `PUT /control/config` takes for one channel or account; all parts optional, objects merged, lists replaced. */
const changeSchema = z.strictObject({
  /** Units in any sliding second; null = unlimited. */
  ratePerSecond: z.number().positive().nullable().optional(),
  /** From request to answer, ms. */
  latencyMs: z.number().min(0).max(600_000).optional(),
  batchMode: z.enum(['per-item', 'all-or-nothing']).optional(),
  /** Whether an id accepted before is answered as before. */
  idempotent: z.boolean().optional(),
  /** Refuses what matches `JSON.stringify([to, content])` with 400 and this code. */
  refuse: z.array(z.strictObject({ pattern, code: z.string().min(1).max(100) })).optional(),
  /** This share of calls gets this status; status 0 breaks the connection instead. */
  fail: z
    .strictObject({
      share: share.optional(),
      status: z.number().int().min(400).max(599).or(z.literal(0)).optional(),
    })
    .optional(),
  /** This share of calls is never answered. */
  hang: z.strictObject({ share: share.optional() }).optional(),
  receipts: z
    .strictObject({ delayMs: z.number().min(0).max(86_400_000).optional(), deliveredShare: share.optional() })
    .optional(),
});
export type AccountChange = z.infer<typeof changeSchema>;
export const configChangeSchema = z.record(z.string().regex(/^[a-z][a-z0-9-]{0,63}$/), changeSchema);
export type ConfigChange = z.infer<typeof configChangeSchema>;

/** The values that hold for one account. */
export interface AccountConfig {
  readonly ratePerSecond: number | null;
  readonly latencyMs: number;
  readonly batchMode: 'per-item' | 'all-or-nothing';
  readonly idempotent: boolean;
  readonly refuse: readonly { pattern: string; code: string }[];
  readonly fail: { readonly share: number; readonly status: number };
  readonly hang: { readonly share: number };
  readonly receipts: { readonly delayMs: number; readonly deliveredShare: number };
}

const DEFAULTS: AccountConfig = {
  ratePerSecond: null,
  latencyMs: 20,
  batchMode: 'per-item',
  idempotent: true,
  refuse: [],
  fail: { share: 0, status: 500 },
  hang: { share: 0 },
  receipts: { delayMs: 200, deliveredShare: 1 },
};

/** The accounts of the development catalogue. */
export const DEFAULT_ACCOUNTS: ConfigChange = {
  'sms-a': { ratePerSecond: 200 },
  'sms-b': { ratePerSecond: 50 },
  'push-alfa': { ratePerSecond: 1000 },
  'push-beta': { ratePerSecond: 1000 },
  'email-a': { ratePerSecond: 500 },
  'messenger-a': { ratePerSecond: 100 },
};

const isChannel = (name: string): boolean => (CHANNELS as readonly string[]).includes(name);

/** `base` with the parts of `change`: objects by key, everything else replaced. */
function merged<T extends object>(base: T, change: object | undefined): T {
  const result = { ...base } as Record<string, unknown>;
  for (const [key, value] of Object.entries(change ?? {})) {
    if (value === undefined) continue;
    const nested = typeof value === 'object' && value !== null && !Array.isArray(value);
    result[key] = nested ? merged(result[key] ?? {}, value as object) : value;
  }
  return result as T;
}

/** An account's values with its refusal patterns ready to run. */
export interface ActiveConfig extends AccountConfig {
  readonly refusals: readonly { readonly test: RegExp; readonly code: string }[];
}

/** Who gets which values: defaults, then the channel's, then the account's own. Resolved once per change. */
export class SandboxConfig {
  private overrides: Record<string, AccountChange>;
  private readonly resolved = new Map<string, ActiveConfig>();
  /** Learned from calls, so that `effective` can show an account with its channel's values. */
  private readonly channelOf = new Map<string, Channel>();

  constructor(private readonly initial: ConfigChange = DEFAULT_ACCOUNTS) {
    this.overrides = { ...initial };
  }

  of(channel: Channel, account: string): ActiveConfig {
    const key = `${channel} ${account}`;
    const known = this.resolved.get(key);
    if (known) return known;
    const config = merged(merged(DEFAULTS, this.overrides[channel]), this.overrides[account]);
    const active = {
      ...config,
      refusals: config.refuse.map((r) => ({ test: new RegExp(r.pattern), code: r.code })),
    };
    if (this.resolved.size >= 10_000) this.resolved.clear(); // account names come from callers
    this.resolved.set(key, active);
    if (this.channelOf.size < 10_000) this.channelOf.set(account, channel);
    return active;
  }

  change(change: ConfigChange): void {
    for (const [name, part] of Object.entries(change)) {
      this.overrides[name] = merged(this.overrides[name] ?? {}, part);
    }
    this.resolved.clear();
  }

  /** Back to the values it started with. */
  reset(): void {
    this.overrides = { ...this.initial };
    this.resolved.clear();
  }

  /** The values that hold now, by channel and by named account. */
  effective(): Record<string, AccountConfig> {
    const names = new Set<string>([...CHANNELS, ...Object.keys(this.overrides)]);
    return Object.fromEntries(Array.from(names, (name) => [name, this.effectiveOf(name)]));
  }

  private effectiveOf(name: string): AccountConfig {
    const guess = CHANNELS.find((c) => name.startsWith(`${c}-`));
    const channel = isChannel(name) ? name : (this.channelOf.get(name) ?? guess ?? '');
    return merged(
      merged(DEFAULTS, this.overrides[channel]),
      channel === name ? undefined : this.overrides[name],
    );
  }
}
