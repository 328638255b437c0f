import type { Catalogue, Channel } from '@commservice/contracts';
import type { Logger } from '@commservice/telemetry';
import { needsRestart } from './needs-restart.js';

/** Tells of every later catalogue, each valid and of a higher version; `CatalogueFile` of libs/accept fits. */
export interface CatalogueChanges {
  onChange(listener: (catalogue: Catalogue) => void): () => void;
}

/** Which catalogue a process follows, for `GET /lanes`. */
export interface LiveCatalogueView {
  readonly version: number;
  /** What of it this process cannot take over while it runs, by name; empty = all holds. */
  readonly needsRestart: readonly string[];
}

/**
 * The catalogue this process follows. What its lanes were built from stays as it was at start (`started`); all else is read
 * from `current`, at every question. Told by the watcher of the file; listeners hear of each change after it holds.
 */
export class LiveCatalogue {
  private latest: Catalogue;
  private restart: readonly string[] = [];
  private readonly listeners: ((catalogue: Catalogue) => void)[] = [];

  constructor(
    readonly started: Catalogue,
    private readonly channel: Channel,
    private readonly logger: Logger,
  ) {
    this.latest = started;
  }

  get current(): Catalogue {
    return this.latest;
  }

  get view(): LiveCatalogueView {
    return { version: this.latest.version, needsRestart: this.restart };
  }

  onChange(listener: (catalogue: Catalogue) => void): void {
    this.listeners.push(listener);
  }

  /** Takes a valid catalogue over and says what of it must wait for a restart. */
  take(next: Catalogue): void {
    const from = this.latest.version;
    this.latest = next;
    this.restart = needsRestart(this.started, next, this.channel);
    const fields = { from, version: next.version };
    this.logger.info(fields, 'the dispatcher follows a changed catalogue');
    if (this.restart.length > 0)
      this.logger.warn({ ...fields, needsRestart: this.restart }, 'a part of the catalogue needs a restart');
    for (const listener of this.listeners) listener(next);
  }
}
