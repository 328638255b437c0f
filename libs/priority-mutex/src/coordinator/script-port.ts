import type { LuaScript } from '@commservice/redis';

export type ScriptResult =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'no-answer'; readonly reason: string };

/** Runs scripts; `RedisConnection` fits. Never rejects: silence, refusal and a lost connection are `no-answer` in time. */
export interface ScriptRunner {
  run(
    script: LuaScript,
    keys: string[],
    args: (string | number)[],
    deadlineMs: number,
  ): Promise<ScriptResult>;
}

/** Hears what scripts publish; `EdgeBus` of libs/redis fits. It puts the same prefix before a channel as before a key. */
export interface EdgeSource {
  /** Returns the cancellation. */
  subscribe(channel: string, listener: (text: string) => void): () => void;
}
