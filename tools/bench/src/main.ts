import { parseArgs } from 'node:util';
import { BenchFault, runCommand } from './fault.js';
import { idleLanesBench } from './idle-lanes/idle-lanes-bench.js';
import { ingestBench } from './ingest/ingest-bench.js';
import { priorityBench } from './priority/priority-bench.js';
import { PRIORITY_USAGE } from './priority/priority-options.js';
import { readPriorityPlan } from './priority/priority-plan.js';
import { openTarget } from './target/target.js';

const USAGE = `Usage:
  npm run bench -- ingest [--clients 200] [--seconds 60] [--broker-stop <seconds>]
  npm run bench -- idle-lanes [--seconds 30]
  ${PRIORITY_USAGE}`;

interface Arguments {
  readonly command: string | undefined;
  readonly clients: number;
  readonly seconds: number | undefined;
  readonly brokerStop: number;
}

function readArguments(args: readonly string[]): Arguments {
  const option = { type: 'string' } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { clients: option, seconds: option, 'broker-stop': option },
    });
    return {
      command: positionals[0],
      clients: positive(values.clients) ?? 200,
      seconds: positive(values.seconds),
      brokerStop: positive(values['broker-stop']) ?? 0,
    };
  } catch {
    throw new BenchFault(USAGE);
  }
}

function positive(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!(Number(text) > 0)) throw new BenchFault(USAGE);
  return Number(text);
}

async function main(): Promise<boolean> {
  const [first, ...flags] = process.argv.slice(2);
  if (first === 'priority') return priorityBench(readPriorityPlan(flags));
  const { command, clients, seconds, brokerStop } = readArguments(process.argv.slice(2));
  switch (command) {
    case 'ingest': {
      const target = await openTarget();
      try {
        return await ingestBench(target, { clients, seconds: seconds ?? 60, brokerStopSeconds: brokerStop });
      } finally {
        await target.close();
      }
    }
    case 'idle-lanes':
      return idleLanesBench({ seconds: seconds ?? 30 });
    default:
      throw new BenchFault(USAGE);
  }
}

runCommand(main);
