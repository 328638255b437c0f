import { readFileSync, writeFileSync } from 'node:fs';
import { DEVELOPMENT_CATALOGUE } from '@commservice/tools-stack';

/**
 * Longest wait for a provider's answer. A reservation holds twice as long as the longest one, so a record that a killed
 * pod had taken is free again after 4 s instead of 20.
 */
const TIMEOUTS = 'timeoutMs: { P1: 2000, P2: 2000, P3: 2000 }';
const ANY_TIMEOUTS = /timeoutMs: \{[^}]*\}/g;

/** Writes the development catalogue with shorter waits to `file`. */
export function writeJourneyCatalogue(file: string): void {
  const text = readFileSync(DEVELOPMENT_CATALOGUE, 'utf8');
  const shorter = text.replace(ANY_TIMEOUTS, TIMEOUTS);
  if (shorter === text) throw new Error('the development catalogue has no timeoutMs in one line to shorten');
  writeFileSync(file, shorter);
}
