import { cpus, release, totalmem, type as osType } from 'node:os';

/** Where and when a result was measured. */
export interface Machine {
  readonly date: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly os: string;
  readonly node: string;
}

export function machine(): Machine {
  const all = cpus();
  return {
    date: new Date().toISOString(),
    cpu: all[0]?.model.trim() || 'unknown',
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    os: `${osType()} ${release()}`,
    node: process.version,
  };
}
