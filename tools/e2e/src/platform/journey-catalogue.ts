import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { DEVELOPMENT_CATALOGUE } from '@commservice/tools-stack';
import { count } from '../scale.js';

/**
 * Longest wait for a provider's answer. A reservation holds twice as long as the longest one, so a record that a killed
 * pod had taken is free again after 4 s instead of 20.
 */
const TIMEOUTS = 'timeoutMs: { P1: 2000, P2: 2000, P3: 2000 }';
const ANY_TIMEOUTS = /timeoutMs: \{[^}]*\}/g;

/** R of the push accounts: two cores do not carry the development catalogue's 1 000/s, and what a processor lacks is no limit to try. */
export const PUSH_RATE = 300;

/** A class that is blocked longer gets its minimum share; longer than a burst of the other journeys. */
export const MAX_BLOCK_MS = count(4_000, 60_000);

/** Key of a second team, for journeys about two. */
export const SECOND_TEAM_KEY = 'live_second_key_for_development_only';
const SECOND_TEAM = '  second: { brands: [alfa, beta], p1: { perSecond: 20, burst: 100 } }';
const SECOND_KEY = `  - { id: live-second, team: second, kind: live, developmentOnly: true, sha256: ${createHash(
  'sha256',
)
  .update(SECOND_TEAM_KEY)
  .digest('hex')} }`;

function replaced(text: string, what: RegExp, by: string): string {
  const changed = text.replace(what, by);
  if (changed === text) throw new Error(`the development catalogue has no ${String(what)} to change`);
  return changed;
}

/** Writes the development catalogue with shorter waits and a second team to `file`. */
export function writeJourneyCatalogue(file: string): void {
  let text = readFileSync(DEVELOPMENT_CATALOGUE, 'utf8');
  text = replaced(text, ANY_TIMEOUTS, TIMEOUTS);
  text = replaced(text, /ratePerSecond: 1000,/g, `ratePerSecond: ${PUSH_RATE},`);
  text = replaced(
    text,
    /default: contention/,
    `default: contention, timing: { maxBlockMs: ${MAX_BLOCK_MS} }`,
  );
  text = replaced(text, /^teams:$/m, `teams:\n${SECOND_TEAM}`);
  text = replaced(text, /^keys:$/m, `keys:\n${SECOND_KEY}`);
  writeFileSync(file, text);
}
