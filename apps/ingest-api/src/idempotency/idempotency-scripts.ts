import { join } from 'node:path';
import { loadLua } from '@commservice/redis';

const LUA = join(__dirname, '..', '..', 'lua');

/** What `BEGIN` returns first. */
export const BEGUN = { fresh: 0, running: 1, mismatch: 2, done: 3 } as const;

export const BEGIN = loadLua(LUA, 'idempotency-begin-1.lua');
export const FINISH = loadLua(LUA, 'idempotency-finish-1.lua');
export const RELEASE = loadLua(LUA, 'idempotency-release-1.lua');
