import type { Redis } from 'ioredis';

/**
 * Leaves a socket on which the server owes an answer and sends nothing: it is destroyed after `stallMs` to twice that, and
 * the client connects anew. ioredis's own `socketTimeout` also counts the time in which this process was too busy to read,
 * and so left healthy sockets; this one looks after a turn in which everything that had come was read.
 * Caller: createClient.
 * @param owed how many answers the server owes now
 */
export function watchForStalls(client: Redis, stallMs: number, owed: () => number): void {
  let stop = (): void => undefined;
  client.on('connect', () => {
    stop();
    stop = watchSocket(client.stream, stallMs, owed);
  });
  client.on('close', () => stop());
}

function watchSocket(socket: Redis['stream'], stallMs: number, owed: () => number): () => void {
  let read = -1;
  let sinceMs = 0;
  const look = (): void => {
    if (socket.bytesRead !== read || owed() === 0) {
      read = socket.bytesRead;
      sinceMs = performance.now();
    } else if (performance.now() - sinceMs >= stallMs)
      socket.destroy(new Error('Stalled: an answer is owed and nothing comes'));
  };
  const timer = setInterval(() => setImmediate(look), stallMs / 2).unref();
  return () => clearInterval(timer);
}
