import type { Redis } from 'ioredis';

/** Looks in a row that find the same answer owed. */
const LOOKS = 2;

/**
 * Leaves a socket on which the server owes an answer and sends nothing: it is destroyed after `stallMs` to 1.5 × that, and
 * the client connects anew. ioredis's own `socketTimeout` also counts the time in which this process was too busy to read,
 * and so left healthy sockets; this one looks after a turn in which everything that had come was read.
 * A client that is not ready is owed the handshake. Caller: createClient.
 * @param owed how many answers the server owes now
 */
export function watchForStalls(client: Redis, stallMs: number, owed: () => number): void {
  let stop = (): void => undefined;
  client.on('connect', () => {
    stop();
    stop = watchSocket(client.stream, stallMs, () => client.status !== 'ready' || owed() > 0);
  });
  client.on('close', () => stop());
}

function watchSocket(socket: Redis['stream'], stallMs: number, isOwed: () => boolean): () => void {
  let read = -1;
  let looks = 0;
  const look = (): void => {
    if (socket.bytesRead !== read || !isOwed()) looks = 0;
    else if (++looks > LOOKS) socket.destroy(new Error('Stalled: an answer is owed and nothing comes'));
    else return;
    read = socket.bytesRead;
  };
  const timer = setInterval(() => setImmediate(look), stallMs / LOOKS).unref();
  return () => clearInterval(timer);
}
