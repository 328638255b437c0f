import { readFile } from 'node:fs/promises';
import type { Catalogue } from '@commservice/contracts';
import type { Logger } from '@commservice/telemetry';
import { readCatalogue } from './catalogue-source.js';

export interface CatalogueFileOptions {
  readonly path: string;
  /** Whether keys marked `developmentOnly` are refused. */
  readonly production: boolean;
  readonly logger: Logger;
  /** How often the file is looked at. Default 1000. Polled, because mounted config maps change by renamed links. */
  readonly pollMs?: number;
}

/**
 * The catalogue in force, read from a file and reloaded when the file changes.
 * States: created → loaded (after `load`) ⇄ watching (`watch` / `stop`).
 * Invariant: once loaded there is always a valid catalogue; a faulty file, or a changed one whose version did not rise,
 * is logged once and the old catalogue stays. Made by apps; read through `current` by everyone else.
 */
export class CatalogueFile {
  private catalogue: Catalogue | undefined;
  private text = '';
  private timer: NodeJS.Timeout | undefined;
  private reading = false;
  private readonly listeners = new Set<(catalogue: Catalogue) => void>();

  constructor(private readonly options: CatalogueFileOptions) {}

  /** The catalogue in force. Throws when `load` has not succeeded: a bug of the caller. */
  get current(): Catalogue {
    if (!this.catalogue) throw new Error('the catalogue is not loaded yet');
    return this.catalogue;
  }

  /** Reads the file for the first time; rejects when it is missing or faulty. */
  async load(): Promise<Catalogue> {
    const text = await readFile(this.options.path, 'utf8');
    const read = readCatalogue(text, this.options.production);
    if (read.kind === 'faulty') throw new Error(`the catalogue is faulty: ${read.faults.join('; ')}`);
    this.text = text;
    this.catalogue = read.catalogue;
    return read.catalogue;
  }

  /** Looks at the file from now on; `stop` ends it. Does not keep the process alive. */
  watch(): void {
    this.timer ??= setInterval(() => void this.check(), this.options.pollMs ?? 1000).unref();
  }

  /** Calls `listener` with every later catalogue. Returns the way to stop it. */
  onChange(listener: (catalogue: Catalogue) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Reads the file once more; called by the timer, and by tests. Never rejects. */
  async check(): Promise<void> {
    if (this.reading) return;
    this.reading = true;
    try {
      const text = await readFile(this.options.path, 'utf8');
      if (text !== this.text) this.consider(text);
    } catch (err) {
      this.options.logger.warn({ err }, 'The catalogue file cannot be read; the catalogue in force stays');
    } finally {
      this.reading = false;
    }
  }

  private consider(text: string): void {
    this.text = text;
    const { logger, production } = this.options;
    const version = this.current.version;
    const read = readCatalogue(text, production);
    if (read.kind === 'faulty') {
      logger.error(
        { version, faults: read.faults },
        'The changed catalogue is faulty; the one in force stays',
      );
      return;
    }
    if (read.catalogue.version <= version) {
      logger.error(
        { version, offered: read.catalogue.version },
        'The changed catalogue has no higher version; the one in force stays',
      );
      return;
    }
    this.catalogue = read.catalogue;
    logger.info({ from: version, version: read.catalogue.version }, 'The catalogue changed');
    for (const listener of this.listeners) listener(read.catalogue);
  }
}
