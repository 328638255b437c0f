import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';

/** A log file is moved aside (`.1`, replacing an older one) when it has grown to this size. */
const ROTATE_BYTES = 64 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;

function open(file: string): number {
  mkdirSync(path.dirname(file), { recursive: true });
  return openSync(file, 'a');
}

function rotateIfLarge(file: string): void {
  if (existsSync(file) && statSync(file).size >= ROTATE_BYTES) renameSync(file, `${file}.1`);
}

/** A file descriptor for a process that writes its log by itself; large logs of earlier runs are moved aside. */
export function openLog(file: string): number {
  rotateIfLarge(file);
  return open(file);
}

/** The last `count` lines of a log file, from byte `from` on. */
export function lastLines(file: string, count: number, from = 0): string[] {
  if (!existsSync(file)) return [];
  const fd = openSync(file, 'r');
  try {
    const size = statSync(file).size;
    const start = Math.max(from, size - TAIL_BYTES);
    const bytes = Buffer.alloc(Math.max(0, size - start));
    readSync(fd, bytes, 0, bytes.length, start);
    return bytes.toString('utf8').split('\n').filter(Boolean).slice(-count);
  } finally {
    closeSync(fd);
  }
}

/** A log that the supervisor writes line by line; bounded by moving the full file aside. */
export class LineLog {
  private fd: number;
  private bytes: number;

  constructor(private readonly file: string) {
    this.fd = openLog(file);
    this.bytes = statSync(file).size;
  }

  write(line: string): void {
    this.bytes += writeSync(this.fd, `${line}\n`);
    if (this.bytes < ROTATE_BYTES) return;
    closeSync(this.fd);
    rotateIfLarge(this.file);
    this.fd = open(this.file);
    this.bytes = 0;
  }

  close(): void {
    closeSync(this.fd);
  }
}
