import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { BatchTurns } from '../publish/batch-turns.js';
import { HttpProblem } from './http-problem.js';
import { LARGE_BODY_BYTES, parseLargeBatch } from './parse-large-batch.js';

const tooLarge = (maxBytes: number): HttpProblem =>
  HttpProblem.of('body-too-large', 413, `The body may have at most ${maxBytes} bytes`);

/**
 * Reads a body of at most `maxBytes`. What is beyond the limit, or refused by `refusal`, is let through unread, so that the
 * client gets its answer before the connection ends; nothing of it is kept.
 * @param refusal asked about the size of every chunk before it is kept
 */
export function readBody(
  stream: IncomingMessage,
  maxBytes: number,
  refusal: (chunkBytes: number) => HttpProblem | undefined,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = (): void => {
      stream.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      const refused = length > maxBytes ? tooLarge(maxBytes) : refusal(chunk.length);
      if (!refused) return void chunks.push(chunk);
      stop();
      stream.resume();
      reject(refused);
    };
    const onEnd = (): void => {
      stop();
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length));
    };
    const onBroken = (): void => {
      stop();
      reject(HttpProblem.of('malformed-body', 400, 'The connection ended before the body did'));
    };
    stream.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

/** Refuses early what its headers already rule out. */
export function checkBodyHeaders(headers: Readonly<Record<string, unknown>>, maxBytes: number): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw HttpProblem.of('unsupported-media-type', 415, 'Compressed bodies are not taken', {
      'accept-encoding': 'identity',
    });
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/** Parses a body once, in slices when it is large. `__proto__` stays an ordinary key and is refused by validation. */
export async function parseJson(bytes: Buffer, turns: BatchTurns): Promise<unknown> {
  if (!isUtf8(bytes)) throw HttpProblem.of('malformed-body', 400, 'The body is not UTF-8');
  try {
    return bytes.length > LARGE_BODY_BYTES
      ? await parseLargeBatch(bytes, turns)
      : JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof HttpProblem) throw error;
    // the parser's own message quotes the body
    throw HttpProblem.of('malformed-body', 400, 'The body is not valid JSON');
  }
}
