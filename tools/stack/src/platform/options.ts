import type { PlatformPorts } from '../ports.js';
import type { Durability } from '../servers/server.js';
import type { AppName } from './app-names.js';

/** Where the platform's own words and its processes' lines go. */
export interface PlatformLog {
  /** A sentence of the platform itself. */
  readonly say: (sentence: string) => void;
  /** One line that a process wrote. */
  readonly line: (process: string, line: string) => void;
}

/** Servers that run already and are only used. What is absent is started. */
export interface ExternalServers {
  /** `host:port`, separated by commas. */
  readonly kafka?: string;
  readonly redis?: string;
  readonly postgres?: string;
}

export interface PlatformOptions {
  readonly ports: PlatformPorts;
  /** Folder for data, logs and pid files. */
  readonly dataDir: string;
  /** `kept`: data survives a crash of the machine; `scratch`: faster, for tests. */
  readonly durability: Durability;
  /** After how long without a word Kafka closes a connection, ms; absent = its own default, 10 min. */
  readonly kafkaIdleMs?: number;
  /** Which of our processes run. */
  readonly apps: readonly AppName[];
  /** Whether the provider sandbox runs; if not, its port is left to another provider. */
  readonly sandbox: boolean;
  readonly external: ExternalServers;
  /** Path of the catalogue. */
  readonly catalogueFile: string;
  /** 32 bytes, base64. */
  readonly masterKey: string;
  /** Base environment of every app; what the platform itself sets wins, except over `envOf`. */
  readonly env: NodeJS.ProcessEnv;
  /** Last word on the environment of single processes. */
  readonly envOf: Partial<Record<AppName | 'sandbox', NodeJS.ProcessEnv>>;
  /** Whether a process that ends unexpectedly is started again, after 1, 2, 4 … 30 s. */
  readonly autoRestart: boolean;
  /** Longest wait for one process to be ready, ms. */
  readonly startDeadlineMs: number;
  readonly log: PlatformLog;
}
