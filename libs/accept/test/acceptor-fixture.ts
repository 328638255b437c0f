import { createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageIds, type Catalogue, type CatalogueKey, type DataKey } from '@commservice/contracts';
import { Acceptor, type AcceptContext } from '../src/acceptor.js';
import { readCatalogue } from '../src/catalogue-source.js';
import { P1Ceiling } from '../src/p1-ceiling.js';
import type { AcceptResult } from '../src/result.js';

export const NOW = Date.UTC(2026, 10, 30, 10);
export const dataKey: DataKey = { id: 'k1', brand: 'alfa', day: '2026-11-30', secret: Buffer.alloc(32, 1) };
export const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };

export function exampleCatalogue(): Catalogue {
  const text = readFileSync(join(__dirname, '../../../tools/stack/catalogue.yaml'), 'utf8');
  const read = readCatalogue(text, false);
  if (read.kind === 'faulty') throw new Error(read.faults.join());
  return read.catalogue;
}
export const catalogue = exampleCatalogue();
export const key = catalogue.keys.find((k) => k.kind === 'live') as CatalogueKey;
export const ids = new MessageIds(Buffer.alloc(32, 2));

export function acceptorOf(options: { keyed?: boolean } = {}): Acceptor {
  const clock = { now: () => NOW + 0.5, monotonic: () => 0 };
  return new Acceptor({
    clock,
    ids,
    keyRing: { current: () => (options.keyed === false ? undefined : dataKey) },
    ceiling: new P1Ceiling({ clock }),
    hashKey: createSecretKey(Buffer.alloc(32, 3)),
  });
}
export const context = (more: Partial<AcceptContext> = {}): AcceptContext => ({
  catalogue,
  key,
  trace,
  ...more,
});
export const accept = (raw: unknown, more: Partial<AcceptContext> = {}): AcceptResult =>
  acceptorOf().accept(raw, context(more));

export const sms = (more: object = {}): Record<string, unknown> => ({
  channel: 'sms',
  brand: 'alfa',
  category: 'otp',
  to: { phone: '+447700900123' },
  content: { text: 'Code 481516' },
  ...more,
});
export const push = (more: object = {}): object =>
  sms({
    channel: 'push',
    to: { platform: 'fcm', token: `tok${'0'.repeat(40)}` },
    content: { title: 'Hi', body: 'There' },
    ...more,
  });
export const email = (more: object = {}): object =>
  sms({
    channel: 'email',
    to: { email: 'user7@example.test' },
    content: { subject: 'Hi', text: 'There' },
    ...more,
  });
export const messenger = (more: object = {}): object =>
  sms({ channel: 'messenger', to: { service: 'telegram', id: '100007' }, content: { text: 'Hi' }, ...more });

export function faults(result: AcceptResult): string[] {
  if (result.kind === 'accepted') throw new Error('it was accepted');
  return (result.problem.errors ?? []).map((e) => `${e.pointer} ${e.code}`).sort();
}
export function accepted(result: AcceptResult): Extract<AcceptResult, { kind: 'accepted' }> {
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.problem));
  return result;
}
