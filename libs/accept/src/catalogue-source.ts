import { catalogueSchema, type Catalogue } from '@commservice/contracts';
import { parseDocument } from 'yaml';

export type CatalogueRead =
  | { kind: 'catalogue'; catalogue: Catalogue }
  /** Plain sentences that name paths and rules, never values. */
  | { kind: 'faulty'; faults: readonly string[] };

const faulty = (...faults: string[]): CatalogueRead => ({ kind: 'faulty', faults });

/**
 * Reads a catalogue from YAML text; never throws.
 * @param production whether keys marked `developmentOnly` are refused
 */
export function readCatalogue(text: string, production: boolean): CatalogueRead {
  // aliases are bounded by the parser, so a few lines cannot expand into gigabytes
  const document = parseDocument(text, { prettyErrors: false, strict: true, uniqueKeys: true });
  const [error] = document.errors;
  if (error) return faulty(`the file is not YAML: ${error.code} at offset ${error.pos[0]}`);
  let json: unknown;
  try {
    json = document.toJS({ maxAliasCount: 100 });
  } catch {
    return faulty('the file uses too many YAML aliases');
  }
  const parsed = catalogueSchema.safeParse(json);
  if (!parsed.success) {
    return faulty(
      ...parsed.error.issues.map(
        (i) => `/${i.path.map(String).join('/')}: ${i.code === 'custom' ? i.message : i.code}`,
      ),
    );
  }
  const development = parsed.data.keys.filter((k) => k.developmentOnly).map((k) => k.id);
  if (production && development.length > 0) {
    return faulty(`keys for development only are refused in production: ${development.join(', ')}`);
  }
  return { kind: 'catalogue', catalogue: parsed.data };
}
