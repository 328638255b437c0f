import { readFileSync } from 'node:fs';
import { readCatalogue } from '@commservice/accept';
import {
  LANE_RETENTION_MS,
  allTopics,
  durationMs,
  perBrandOf,
  type Catalogue,
  type TopicProfile,
  type TopicSpec,
} from '@commservice/contracts';

const DAY_MS = 86_400_000;

export type CatalogueTopics =
  | { kind: 'topics'; specs: readonly TopicSpec[] }
  /** Plain sentences. */
  | { kind: 'faulty'; faults: readonly string[] };

/** Categories whose messages could outlive their topic: one sentence each. A lane keeps records a day longer than they live. */
function retentionFaults(catalogue: Pick<Catalogue, 'categories'>): string[] {
  return Object.entries(catalogue.categories)
    .filter(([, { ttl }]) => durationMs(ttl) + DAY_MS > LANE_RETENTION_MS)
    .map(
      ([name]) =>
        `Category ${name}: its TTL must be a day shorter than the topics' retention of ${LANE_RETENTION_MS / DAY_MS} days.`,
    );
}

/** Every topic a catalogue needs. Rejects nothing: a missing or faulty file is a value. */
export function topicsOfCatalogue(file: string, profile: TopicProfile): CatalogueTopics {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return { kind: 'faulty', faults: ['The catalogue file (CATALOGUE_FILE) cannot be read.'] };
  }
  // whether its keys suit production is the apps' concern
  const read = readCatalogue(text, false);
  if (read.kind === 'faulty')
    return { kind: 'faulty', faults: read.faults.map((fault) => `The catalogue is faulty: ${fault}.`) };
  const faults = retentionFaults(read.catalogue);
  if (faults.length > 0) return { kind: 'faulty', faults };
  return { kind: 'topics', specs: allTopics(read.catalogue.brands, perBrandOf(read.catalogue), profile) };
}
