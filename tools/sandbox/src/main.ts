import { parseArgs } from 'node:util';
import { refusalToStart } from './production.js';
import { startSandbox } from './server.js';

const number = (name: string, text: string): number => {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new RangeError(`--${name} must be a whole number`);
};

async function main(): Promise<void> {
  const refusal = refusalToStart(process.env);
  if (refusal) throw new Error(refusal);
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '3900' },
      host: { type: 'string', default: '127.0.0.1' },
      seed: { type: 'string', default: '1' },
    },
  });
  const seed = number('seed', values.seed);
  const sandbox = await startSandbox({ port: number('port', values.port), host: values.host, seed });
  console.log(`provider sandbox on ${sandbox.url} (seed ${seed})`);
  const stop = () => void sandbox.stop();
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
