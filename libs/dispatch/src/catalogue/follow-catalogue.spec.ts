import { mutexSchema, type Account, type Catalogue, type MutexMode } from '@commservice/contracts';
import type { ScopeContract } from '@commservice/priority-mutex';
import { silentLogger } from '@commservice/telemetry';
import { AccountState } from '../account/account-state.js';
import { followControls } from '../controls/follow-controls.js';
import type { LaneControls } from '../controls/lane-controls.js';
import { followCatalogue } from './follow-catalogue.js';
import { LiveCatalogue } from './live-catalogue.js';

const SHARES = { P1: 0.2, P2: 0.3, P3: 0.5 };
const smsA = { channel: 'sms', ratePerSecond: 200, inFlight: 40, idempotent: true } as Account;
const channel = { perBrand: [], routes: [{ brand: '*', account: 'sms-a' }], p1Failover: [], countries: [] };

function catalogueOf(version: number, over: Partial<Catalogue> = {}): Catalogue {
  const channels = { sms: channel, push: channel, email: channel, messenger: channel };
  const mutex = mutexSchema.parse({ default: 'contention' });
  const base = {
    version,
    brands: ['alfa'],
    channels,
    accounts: { 'sms-a': smsA },
    classShares: SHARES,
    mutex,
  };
  return { ...base, ...over } as Catalogue;
}

/** One account of one process, as openDispatcher wires it. */
function rig() {
  const warnings: unknown[] = [];
  const logger = { ...silentLogger, warn: (fields: unknown) => void warnings.push(fields) };
  const live = new LiveCatalogue(catalogueOf(1), 'sms', logger);
  const clock = { now: () => 0, monotonic: () => 0 };
  const account = new AccountState('sms-a', smsA, clock);
  const contracts: ScopeContract[] = [];
  const modes: MutexMode[] = [];
  let ordered: MutexMode | undefined;
  let pumps = 0;
  const controls = {
    modeOf: () => ordered && { value: ordered },
    onChange: () => undefined,
  } as unknown as LaneControls;
  const scope = {
    setContract: (c: ScopeContract) => void contracts.push(c),
    setMode: (m: MutexMode) => void modes.push(m),
  };
  const parts = {
    ...{ live, controls, accounts: new Map([['sms-a', account]]), scopes: new Map([['sms-a', scope]]) },
    lanes: [{ worker: { pump: () => void pumps++ } }],
  };
  followCatalogue(parts);
  followControls(parts);
  return {
    ...{ live, account, contracts, modes, warnings },
    order: (mode: MutexMode) => (ordered = mode),
    pumps: () => pumps,
  };
}

describe('a dispatcher that follows its catalogue', () => {
  it('takes R, shares, in-flight limit, timeouts and mode over, and makes its lanes look again', () => {
    const r = rig();
    const before = r.pumps();
    const timeoutMs = { P1: 1, P2: 2, P3: 3 };
    const classShares = { P1: 0.4, P2: 0.4, P3: 0.2 };
    const accounts = { 'sms-a': { ...smsA, ratePerSecond: 100, inFlight: 20, timeoutMs } };
    r.live.take(catalogueOf(2, { accounts, classShares, mutex: mutexSchema.parse({ default: 'strict' }) }));
    expect(r.contracts).toEqual([{ ratePerSecond: 100, shares: classShares, catalogueVersion: 2 }]);
    expect(r.account.account).toMatchObject({ ratePerSecond: 100, inFlight: 20, timeoutMs });
    expect(r.modes).toEqual(['contention', 'strict']);
    expect(r.pumps()).toBeGreaterThan(before);
    expect(r.live.view).toEqual({ version: 2, needsRestart: [] });
    expect(r.warnings).toEqual([]);
  });

  it("lets an operator's mode stay in force over the catalogue's", () => {
    const r = rig();
    r.order('noop');
    r.live.take(catalogueOf(2, { mutex: mutexSchema.parse({ default: 'strict' }) }));
    expect(r.modes.at(-1)).toBe('noop');
  });

  it('keeps the contract of an account that is gone, under the new version, and says what needs a restart', () => {
    const r = rig();
    r.live.take(catalogueOf(2, { accounts: {} }));
    expect(r.contracts).toEqual([{ ratePerSecond: 200, shares: SHARES, catalogueVersion: 2 }]);
    expect(r.live.view.needsRestart).toEqual(['account sms-a is gone']);
    expect(r.warnings).toEqual([{ from: 1, version: 2, needsRestart: ['account sms-a is gone'] }]);
    r.live.take(catalogueOf(3));
    expect(r.live.view).toEqual({ version: 3, needsRestart: [] });
  });
});
