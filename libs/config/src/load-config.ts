import type { z } from 'zod';
import { ConfigError, type ConfigFault } from './config-error.js';
import { notesOf } from './env-field.js';
import type { Secret } from './secret.js';

/** The process's environment, or a stand-in. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A zod object whose keys are environment variables. Cross-field rules go into `.superRefine()` with a `path`. */
export type EnvSchema = z.ZodObject<Readonly<Record<string, z.ZodType>>>;

/** `T` with everything in it read-only. */
export type Frozen<T> = T extends ((...args: never[]) => unknown) | Secret | ArrayBufferView
  ? T
  : T extends readonly (infer I)[]
    ? readonly Frozen<I>[]
    : T extends object
      ? { readonly [K in keyof T]: Frozen<T[K]> }
      : T;

/**
 * Reads the environment once. An empty variable counts as unset; variables outside the schema are ignored. With
 * NODE_ENV=production, development-only values are refused. Cross-field rules are checked once every field is sound.
 * @throws ConfigError that lists every fault by variable and rule, never a value
 */
export function loadConfig<S extends EnvSchema>(schema: S, env: Environment): Frozen<z.output<S>> {
  const names = Object.keys(schema.shape);
  const given = Object.fromEntries(names.flatMap((n) => (env[n]?.trim() ? [[n, env[n]]] : [])));
  const parsed = schema.safeParse(given);
  const broken = parsed.success ? [] : parsed.error.issues.map(faultOf);
  const faults = [...broken, ...developmentFaults(schema, given, env)];
  if (faults.length > 0 || !parsed.success) throw new ConfigError(unique(faults));
  return deepFreeze(parsed.data) as Frozen<z.output<S>>;
}

function faultOf(issue: z.core.$ZodIssue): ConfigFault {
  const name = issue.path.length > 0 ? String(issue.path[0]) : 'environment';
  return { name, rule: issue.message };
}

function developmentFaults(schema: EnvSchema, given: Environment, env: Environment): ConfigFault[] {
  if (env['NODE_ENV']?.trim() !== 'production') return [];
  return Object.entries(schema.shape).flatMap(([name, field]): ConfigFault[] => {
    const { developmentOnly = [], defaultText } = notesOf(field);
    const raw = given[name]?.trim();
    if (raw !== undefined && developmentOnly.includes(raw)) {
      return [{ name, rule: 'has a development-only value, which NODE_ENV=production refuses' }];
    }
    const onlyDefault =
      raw === undefined && defaultText !== undefined && developmentOnly.includes(defaultText);
    return onlyDefault ? [{ name, rule: 'is required when NODE_ENV=production' }] : [];
  });
}

/** One fault a variable and rule: a production fault may repeat what the field already said. */
function unique(faults: readonly ConfigFault[]): ConfigFault[] {
  return [...new Map(faults.map((f) => [`${f.name}\u0000${f.rule}`, f])).values()];
}

/** Buffers and the like cannot be frozen and are left alone. */
function deepFreeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value))
    return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}
