import { describeEnv, type EnvDescription, type EnvSchema } from '@commservice/config';
import { table } from './section.js';

/** The environment of one app or tool. */
export interface AppEnvironment {
  readonly app: string;
  readonly variables: readonly EnvDescription[];
}

/** Of what a config.ts exports, the zod objects whose keys are environment variables. */
export function environmentOf(app: string, exported: Readonly<Record<string, unknown>>): AppEnvironment {
  const schemas = Object.values(exported).filter(isEnvSchema);
  return { app, variables: schemas.flatMap((schema) => describeEnv(schema)) };
}

function isEnvSchema(value: unknown): value is EnvSchema {
  if (typeof value !== 'object' || value === null || !('shape' in value)) return false;
  const { shape } = value;
  const isObject = typeof shape === 'object' && shape !== null;
  return isObject && Object.keys(shape).every((key) => /^[A-Z][A-Z0-9_]*$/.test(key));
}

/** One variable in one app. */
interface Use {
  readonly app: string;
  readonly variable: EnvDescription;
}

/**
 * A Markdown table with one row a variable. Where apps differ in the default, each has its own; the meaning is the one
 * that most of them give. `root` is cut from paths, so that the table is the same on every machine.
 */
export function envTable(apps: readonly AppEnvironment[], root: string): string {
  const uses = apps.flatMap(({ app, variables }) => variables.map((variable): Use => ({ app, variable })));
  const names = [...new Set(uses.map((u) => u.variable.name))].sort();
  const rows = names.map((name) => {
    const here = uses.filter((u) => u.variable.name === name);
    const readers = here.length === apps.length ? 'all' : here.map((u) => u.app).join(', ');
    return [
      `\`${name}\``,
      defaultsOf(here, root),
      mostFrequent(here.map((u) => u.variable.description)),
      readers,
    ];
  });
  return `\n${table([['variable', 'default', 'meaning', 'read by'], ...rows])}\n\n`;
}

function defaultsOf(uses: readonly Use[], root: string): string {
  const byText = new Map<string, string[]>();
  for (const { app, variable } of uses) {
    const text = defaultOf(variable, root);
    byText.set(text, [...(byText.get(text) ?? []), app]);
  }
  if (byText.size === 1) return [...byText.keys()].join('');
  return [...byText].map(([text, apps]) => `${text || 'none'} (${apps.join(', ')})`).join('; ');
}

function defaultOf(variable: EnvDescription, root: string): string {
  if (variable.required) return 'required';
  const text = variable.default?.replace(`${root}/`, '') ?? '';
  const shown = variable.secret ? 'not shown' : text && `\`${text}\``;
  if (variable.developmentOnly) return `${shown}, for development only`;
  return shown;
}

/** Of equally frequent ones, the first. */
function mostFrequent(texts: readonly string[]): string {
  const count = (text: string) => texts.filter((t) => t === text).length;
  return texts.reduce((best, text) => (count(text) > count(best) ? text : best), texts[0] ?? '');
}
