import { closeSync, openSync, readSync, statSync } from 'node:fs';

const POLL_MS = 250;
const READ_BYTES = 64 * 1024;

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Calls `onLine` for every line added to a file from now on, also after the file was moved aside and begun anew.
 * Returns the way to stop it. Does not keep the process alive.
 */
export function followFile(file: string, onLine: (line: string) => void): () => void {
  let at = sizeOf(file);
  let rest = '';
  const look = (): void => {
    const size = sizeOf(file);
    if (size < at) at = 0;
    if (size === at) return;
    const bytes = Buffer.alloc(Math.min(size - at, READ_BYTES));
    const fd = openSync(file, 'r');
    const read = readSync(fd, bytes, 0, bytes.length, at);
    closeSync(fd);
    at += read;
    const lines = (rest + bytes.toString('utf8', 0, read)).split('\n');
    rest = (lines.pop() ?? '').slice(-READ_BYTES);
    lines.forEach(onLine);
  };
  const timer = setInterval(look, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
