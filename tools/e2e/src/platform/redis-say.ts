import { connect } from 'node:net';

const DEADLINE_MS = 2_000;

/**
 * One command to a Redis as an operator types it; what it answers, without the protocol's first character for a plain
 * line, or the whole text of a bulk answer. Rejects on an error or after 2 s without an answer.
 * @param url `redis://host:port`
 */
export function redisSay(url: string, command: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    const done = (error: Error | undefined, answer = ''): void => {
      socket.destroy();
      if (error) reject(error);
      else resolve(answer);
    };
    let heard = '';
    socket.setTimeout(DEADLINE_MS, () => done(new Error(`redis did not answer "${command}"`)));
    socket.once('error', done);
    socket.once('connect', () => socket.write(`${command}\r\n`));
    socket.on('data', (chunk) => {
      heard += chunk.toString('utf8');
      const whole = wholeAnswer(heard);
      if (whole === undefined) return;
      if (whole.startsWith('-')) done(new Error(`redis refused "${command}": ${whole.slice(1)}`));
      else done(undefined, whole.replace(/^[+:]/, ''));
    });
  });
}

/** The answer once all of it has come: one line, or a bulk text of the length that its first line tells. */
function wholeAnswer(heard: string): string | undefined {
  const end = heard.indexOf('\r\n');
  if (end < 0) return undefined;
  if (!heard.startsWith('$')) return heard.slice(0, end);
  const length = Number(heard.slice(1, end));
  const text = heard.slice(end + 2);
  return Buffer.byteLength(text) >= length ? text.slice(0, length) : undefined;
}
