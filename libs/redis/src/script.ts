import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `keys` of a script that takes as many KEYS as the caller passes. */
export const ANY_KEYS = -1;

/** A Lua script as Redis runs it: one atomic step. */
export interface LuaScript {
  /** File name without key count and extension: `claim` of `claim-n.lua`. Used in logs. */
  readonly name: string;
  /** How many KEYS it takes; `ANY_KEYS` = as many as the caller passes. */
  readonly keys: number;
  readonly source: string;
}

const sums = new WeakMap<LuaScript, string>();

/** SHA-1 of the source, hex: the name EVALSHA knows a script by. */
export function sha1Of(script: LuaScript): string {
  const known = sums.get(script);
  if (known) return known;
  const sum = createHash('sha1').update(script.source).digest('hex');
  sums.set(script, sum);
  return sum;
}

/**
 * Loads `<dir>/<file>`. The file name carries the key count: `claim-1.lua`, or `claim-n.lua` for any number.
 * Throws when the file is missing or misnamed: a broken build.
 */
export function loadLua(dir: string, file: string): LuaScript {
  const m = /^([a-z][a-z0-9-]*)-(\d+|n)\.lua$/.exec(file);
  if (!m) throw new Error(`a Lua file is named <name>-<number of keys>.lua, not ${file}`);
  const keys = m[2] === 'n' ? ANY_KEYS : Number(m[2]);
  return { name: m[1] as string, keys, source: readFileSync(join(dir, file), 'utf8') };
}
