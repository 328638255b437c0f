import { z } from 'zod';

/** One environment variable: text in, `T` out. Give it a `.describe()` with its meaning and unit. */
export type EnvField<T> = z.ZodType<T, string | undefined>;

/** What a parser says of a text: its value, or the rule it breaks. The rule never repeats the text. */
export type Parsed<T> = { readonly value: T } | { readonly rule: string };

/** What tools and production rules need to know of a field beyond its value. */
export interface FieldNotes {
  /** The default as one would write it in the environment. */
  readonly defaultText?: string;
  /** Neither the value nor the default is ever shown. */
  readonly secret?: boolean;
  /** Texts that NODE_ENV=production refuses, whether set or defaulted. */
  readonly developmentOnly?: readonly string[];
}

const notes = z.registry<FieldNotes>();

/** Makes a field from a parser. `def` is the text used when the variable is unset or empty. */
export function field<T>(
  parse: (text: string) => Parsed<T>,
  def?: string,
  extra: FieldNotes = {},
): EnvField<T> {
  const text = z.string('is required').transform((raw, ctx): T => {
    const result = parse(raw.trim());
    if ('value' in result) return result.value;
    ctx.addIssue({ code: 'custom', message: result.rule });
    return z.NEVER;
  });
  return def === undefined ? annotate(text, extra) : withDefault(text, def, extra);
}

/** The same field with a default text. A default that breaks the field's own rule fails like a set one. */
export function withDefault<T>(inner: EnvField<T>, text: string, extra: FieldNotes = {}): EnvField<T> {
  return annotate(inner.prefault(text), { ...notesOf(inner), defaultText: text, ...extra });
}

/** The same field, which may be left unset. */
export function optional<T>(inner: EnvField<T>): EnvField<T | undefined> {
  return annotate(inner.optional(), notesOf(inner));
}

/**
 * The same field with a default for development only: with NODE_ENV=production the variable must be set, and to
 * something else.
 */
export function developmentDefault<T>(inner: EnvField<T>, text: string): EnvField<T> {
  return withDefault(inner, text, { developmentOnly: [...(notesOf(inner).developmentOnly ?? []), text] });
}

/** The same field, which refuses the given texts (demo keys, sandbox addresses) when NODE_ENV=production. */
export function refusedInProduction<T>(inner: EnvField<T>, texts: readonly string[]): EnvField<T> {
  const known = notesOf(inner);
  return annotate(inner.clone(), { ...known, developmentOnly: [...(known.developmentOnly ?? []), ...texts] });
}

function annotate<T>(schema: EnvField<T>, extra: FieldNotes): EnvField<T> {
  notes.add(schema, extra);
  return schema;
}

/** The notes of a field, found through `.describe()`, `.refine()` and `.transform()`. */
export function notesOf(schema: z.core.$ZodType): FieldNotes {
  for (let at: z.core.$ZodType | undefined = schema; at; at = inside(at)) {
    const found = notes.get(at);
    if (found) return found;
  }
  return {};
}

function inside(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  const def = schema._zod.def as { in?: z.core.$ZodType; innerType?: z.core.$ZodType };
  return def.in ?? def.innerType;
}
