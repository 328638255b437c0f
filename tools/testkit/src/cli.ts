import { StackFault } from '@commservice/tools-stack';
import { runningState } from './servers/state.js';
import { ensureTestServers, stopTestServers } from './servers/test-servers.js';

const USAGE = 'Usage: testkit up | down | status';

async function main(command: string | undefined): Promise<string> {
  switch (command) {
    case 'up': {
      const { kafka, redis, postgres } = await ensureTestServers({ keep: true });
      return `The test servers run until "npm run testkit:down":\n  ${kafka.brokers.join(',')}\n  ${redis.url}\n  ${postgres.url}`;
    }
    case 'down':
      return (await stopTestServers()) ? 'The test servers are stopped.' : 'No test servers were running.';
    case 'status':
      return runningState() ? 'The test servers run.' : 'The test servers do not run.';
    default:
      throw new StackFault(USAGE);
  }
}

main(process.argv[2]).then(
  (sentence) => console.log(sentence),
  (error: unknown) => {
    console.error(error instanceof StackFault ? error.message : error);
    process.exitCode = 1;
  },
);
