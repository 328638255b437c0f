import { notesOf } from './env-field.js';
import type { EnvSchema } from './load-config.js';

/** One environment variable as documentation shows it. */
export interface EnvDescription {
  readonly name: string;
  /** Whether the app refuses to start without it (outside production). */
  readonly required: boolean;
  /** As one would write it; absent for required, optional and secret ones. Passwords in URLs are hidden. */
  readonly default: string | undefined;
  readonly description: string;
  readonly secret: boolean;
  /** Whether the default works in development only, so that production must set it. */
  readonly developmentOnly: boolean;
}

/** Every variable of a schema in its order, for README tables and the check that compares them. */
export function describeEnv(schema: EnvSchema): EnvDescription[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const { defaultText, secret = false, developmentOnly = [] } = notesOf(field);
    return {
      name,
      required: !field.safeParse(undefined).success,
      default: secret || defaultText === undefined ? undefined : hidePassword(defaultText),
      description: field.description ?? '',
      secret,
      developmentOnly: defaultText !== undefined && developmentOnly.includes(defaultText),
    };
  });
}

function hidePassword(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/[^:@/]*):[^@/]*@/i, '$1:***@');
}
