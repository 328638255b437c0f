import { parseArgs } from 'node:util';
import { DemoRun, type DemoOptions } from './demo/demo-run.js';
import { BenchFault, runCommand } from './fault.js';
import { openTarget } from './target/target.js';

const DEFAULTS = { idle: '20', flood: '40', backlog: '10000', p1: '20', p2: '5' };
const USAGE = 'Usage: npm run demo [-- --idle 20 --flood 40 --backlog 10000 --p1 20 --p2 5]';

function readArguments(args: readonly string[]): DemoOptions {
  const option = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { idle: option, flood: option, backlog: option, p1: option, p2: option },
    });
    const all = { ...DEFAULTS, ...values };
    const numbers = Object.fromEntries(
      Object.entries(all).map(([name, text]) => [name, Number(text)]),
    ) as Record<keyof typeof DEFAULTS, number>;
    if (!Object.values(numbers).every((n) => n > 0)) throw new BenchFault(USAGE);
    const { idle, flood, backlog, p1, p2 } = numbers;
    return { idleSeconds: idle, floodSeconds: flood, backlog, p1PerSecond: p1, p2PerSecond: p2 };
  } catch {
    throw new BenchFault(USAGE);
  }
}

runCommand(async () => {
  const options = readArguments(process.argv.slice(2));
  const target = await openTarget();
  try {
    return await (await DemoRun.open(target, options)).run();
  } finally {
    await target.close();
  }
});
