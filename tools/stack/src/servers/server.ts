import type { ProcessSpec } from '../process/managed-process.js';

export const SERVERS = ['kafka', 'redis', 'postgres'] as const;
export type ServerName = (typeof SERVERS)[number];

/** How much a server does for its data: `kept` survives a crash of the machine, `scratch` is as fast as it gets. */
export type Durability = 'kept' | 'scratch';

export interface ServerOptions {
  /** Folder for data, configuration, logs and pid files; `<dataDir>/data/<server>` and so on. */
  readonly dataDir: string;
  readonly port: number;
  readonly durability: Durability;
}

/** A server that can be started: `prepare` makes its folders and first data, `spec` runs it. */
export interface Server {
  readonly name: ServerName;
  /** What clients connect to: `host:port` for Kafka, a URL for the others. */
  readonly address: string;
  readonly spec: ProcessSpec;
  /** Makes configuration and, the first time, data. Harmless to repeat. */
  prepare(): Promise<void>;
}
