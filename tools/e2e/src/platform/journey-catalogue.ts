import { readFileSync, writeFileSync } from 'node:fs';
import { DEVELOPMENT_CATALOGUE } from '@commservice/tools-stack';
import { parse, stringify } from 'yaml';

interface CatalogueText {
  accounts: Record<string, { timeoutMs: Record<'P1' | 'P2' | 'P3', number> }>;
}

/**
 * Longest wait for a provider's answer. A reservation holds twice as long as the longest one, so a record that a killed
 * pod had taken is free again after 4 s instead of 20.
 */
const TIMEOUT_MS = { P1: 2_000, P2: 2_000, P3: 2_000 };

/** Writes the development catalogue with shorter waits to `file`. */
export function writeJourneyCatalogue(file: string): void {
  const catalogue = parse(readFileSync(DEVELOPMENT_CATALOGUE, 'utf8')) as CatalogueText;
  for (const account of Object.values(catalogue.accounts)) account.timeoutMs = TIMEOUT_MS;
  writeFileSync(file, stringify(catalogue));
}
