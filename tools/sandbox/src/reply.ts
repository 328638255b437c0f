import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Answers with JSON; nothing when the caller has gone. */
export function reply(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  if (res.destroyed || res.headersSent) return;
  const bytes = Buffer.from(JSON.stringify(body));
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length, ...headers });
  res.end(bytes);
}

/** Reads a body of at most `maxBytes`; undefined when it is larger or the caller goes away. */
export function readBody(
  req: IncomingMessage,
  maxBytes: number,
  done: (body: Buffer | undefined) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let settled = false;
  const once = (body: Buffer | undefined) => {
    if (settled) return;
    settled = true;
    done(body);
  };
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else once(undefined);
  });
  req.on('end', () => once(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
  req.on('error', () => once(undefined));
  req.on('close', () => once(undefined));
}
