import type { Writable } from 'node:stream';

/** Lines that wait for a slow reader at most, in bytes; more are left out of the stream (never out of the log files). */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;

/** A pipe whose reader is slow or asleep would stop us, and with us every app that waits for us to read its log. */
function neverBlock(stream: Writable): void {
  const handle = (stream as { _handle?: { setBlocking?: (blocking: boolean) => void } })._handle;
  if ((stream as { isTTY?: boolean }).isTTY !== true) handle?.setBlocking?.(false);
}

/** Standard output that neither blocks, nor grows without bound, nor fails when its reader has gone. */
export class Output {
  private left = 0;

  constructor(private readonly stream: Writable) {
    neverBlock(stream);
    stream.on('error', () => undefined); // EPIPE: the reader has gone; the platform goes on
  }

  line(text: string): void {
    if (this.stream.writableLength > MOST_WAITING_BYTES) {
      this.left += 1;
      return;
    }
    if (this.left > 0)
      this.stream.write(`… ${this.left} lines left out: the reader is too slow; the log files have them\n`);
    this.left = 0;
    this.stream.write(`${text}\n`);
  }

  /** Resolves when what was written has left, or after a second. */
  flush(): Promise<void> {
    return new Promise((resolve) => {
      if (this.stream.writableLength === 0) return resolve();
      const timer = setTimeout(resolve, 1_000);
      this.stream.write('', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
