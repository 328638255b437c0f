import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { StackFault } from '../fault.js';

/** A TCP port the platform needs, for checks and messages. */
export interface PortClaim {
  readonly port: number;
  /** Who will listen there, for people. */
  readonly owner: string;
  /** The environment variable that moves it. */
  readonly variable: string;
}

function listenOnce(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}

/** Whether nothing listens on that port of this machine. */
export async function isPortFree(port: number): Promise<boolean> {
  return (
    (await listenOnce(port, '127.0.0.1')) !== undefined && (await listenOnce(port, '0.0.0.0')) !== undefined
  );
}

/** Rejects with one sentence for each port that is taken. */
export async function requireFreePorts(claims: readonly PortClaim[]): Promise<void> {
  const free = await Promise.all(claims.map(({ port }) => isPortFree(port)));
  const taken = claims.filter((_, i) => !free[i]);
  if (taken.length === 0) return;
  throw new StackFault(
    taken
      .map(
        (c) =>
          `Port ${c.port} (${c.owner}) is in use by another program: stop that program or set ${c.variable} to a free port.`,
      )
      .join('\n'),
  );
}

/** Below what systems give outgoing connections (Linux: from 32 768): such a port may be taken before it is listened on. */
const OWN_PORTS = { from: 20_000, to: 32_000 };
const MOST_TRIES = 1_000;

/** `count` different ports that are free now, and that no outgoing connection will take. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  for (let tries = 0; ports.size < count; tries++) {
    if (tries === MOST_TRIES)
      throw new StackFault(`No free ports between ${OWN_PORTS.from} and ${OWN_PORTS.to}.`);
    const port = randomInt(OWN_PORTS.from, OWN_PORTS.to);
    if (!ports.has(port) && (await isPortFree(port))) ports.add(port);
  }
  return [...ports];
}
