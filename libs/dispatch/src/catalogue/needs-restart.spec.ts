import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCatalogue } from '@commservice/accept';
import type { Catalogue } from '@commservice/contracts';
import { needsRestart } from './needs-restart.js';

const text = readFileSync(join(__dirname, '../../../../tools/stack/catalogue.yaml'), 'utf8');

function catalogue(change: (text: string) => string = (t) => t): Catalogue {
  const read = readCatalogue(change(text), false);
  if (read.kind === 'faulty') throw new Error(read.faults.join());
  return read.catalogue;
}

/** The development catalogue with one account changed. */
function withAccount(name: string, over: Partial<Catalogue['accounts'][string]>): Catalogue {
  const c = catalogue();
  return { ...c, accounts: { ...c.accounts, [name]: { ...c.accounts[name], ...over } as never } };
}

const started = catalogue();

describe('needsRestart', () => {
  it('is empty for R, in-flight limit, timeouts, shares, modes, teams and categories', () => {
    const timeoutMs = { P1: 1, P2: 2, P3: 3 };
    const next = withAccount('sms-a', { ratePerSecond: 400, inFlight: 800, timeoutMs });
    const classShares = { P1: 0.4, P2: 0.4, P3: 0.2 };
    const mutex = { ...started.mutex, default: 'strict' as const };
    expect(needsRestart(started, { ...next, classShares, mutex, teams: {}, categories: {} }, 'sms')).toEqual(
      [],
    );
  });

  it('names durations of the mutex', () => {
    const next = catalogue((t) =>
      t.replace('default: contention', 'default: contention, timing: { holdMs: 150 }'),
    );
    expect(needsRestart(started, next, 'sms')).toEqual(['mutex/timing/holdMs']);
  });

  it('names brands and lanes that are new or gone', () => {
    const next = catalogue((t) =>
      t
        .replaceAll('[alfa, beta]', '[alfa, gamma]')
        .replace('brand: beta, account: push-beta', 'brand: gamma, account: push-beta'),
    );
    expect(needsRestart(started, next, 'push')).toEqual([
      'brand gamma is new',
      'brand beta is gone',
      ...['P1', 'P2', 'P3'].map((p) => `lane push.gamma:${p} is new`),
      ...['P1', 'P2', 'P3'].map((p) => `lane push.beta:${p} is gone`),
    ]);
    expect(needsRestart(started, next, 'sms')).toEqual(['brand gamma is new', 'brand beta is gone']);
  });

  it('names accounts of the channel that are new or gone, and lanes that go to another', () => {
    const moved = catalogue((t) =>
      t
        .replace('accounts:\n', `accounts:\n  sms-c:\n${/ {2}sms-a:\n([\s\S]*?\})\n/.exec(t)?.[1]}\n`)
        .replace("brand: '*', account: sms-a", "brand: '*', account: sms-c"),
    );
    expect(needsRestart(started, moved, 'sms')).toEqual([
      'account sms-c is new',
      'lane sms:P1 goes to sms-c, sms-b instead of sms-a, sms-b',
      'lane sms:P2 goes to sms-c instead of sms-a',
      'lane sms:P3 goes to sms-c instead of sms-a',
    ]);
    expect(needsRestart(moved, started, 'sms')).toContain('account sms-c is gone');
    expect(needsRestart(started, moved, 'email')).toEqual([]);
  });

  it('names what provider connections are built with', () => {
    expect(needsRestart(started, withAccount('sms-a', { idempotent: false, inFlight: 801 }), 'sms')).toEqual([
      'accounts/sms-a/idempotent',
      'accounts/sms-a/inFlight above 800',
    ]);
  });
});
