import { residentBytes } from '../process-stat.js';

export interface MemorySample {
  /** Seconds since the start of the watch. */
  readonly atS: number;
  readonly mib: number;
}

const EVERY_MS = 500;

/** Samples the resident memory of a process twice a second. */
export class MemoryWatch {
  readonly samples: MemorySample[] = [];
  private readonly from = performance.now();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly pid: number) {
    this.timer = setInterval(() => this.look(), EVERY_MS).unref();
    this.look();
  }

  stop(): readonly MemorySample[] {
    clearInterval(this.timer);
    this.look();
    return this.samples;
  }

  private look(): void {
    const bytes = residentBytes(this.pid);
    if (bytes === undefined) return;
    this.samples.push({ atS: (performance.now() - this.from) / 1000, mib: Math.round(bytes / 2 ** 20) });
  }
}

/** The largest sample between two moments, MiB; NaN when there is none. */
export function peakMib(samples: readonly MemorySample[], fromS: number, toS: number): number {
  const inside = samples.filter((s) => s.atS >= fromS && s.atS <= toS).map((s) => s.mib);
  return inside.length === 0 ? NaN : Math.max(...inside);
}

/** How far the peak between two moments exceeds the first sample there, MiB. */
export function growthMib(samples: readonly MemorySample[], fromS: number, toS: number): number {
  const first = samples.find((s) => s.atS >= fromS);
  return peakMib(samples, fromS, toS) - (first?.mib ?? NaN);
}
