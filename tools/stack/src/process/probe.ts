import { connect } from 'node:net';

/**
 * Sends `question` to a port of this machine and resolves with the first bytes of the answer; undefined when nobody
 * answers within `timeoutMs`. Never rejects.
 */
export function ask(port: number, question: Buffer, timeoutMs: number): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const done = (answer: Buffer | undefined): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(timeoutMs, () => done(undefined));
    socket.once('error', () => done(undefined));
    socket.once('close', () => done(undefined));
    socket.once('data', done);
    socket.once('connect', () => socket.write(question));
  });
}
