import { expectConserved } from '../checks/conservation.js';
import { untilCalls } from '../checks/progress.js';
import type { Call } from '../client/sandbox.js';
import { journey, type World } from '../journey.js';
import { Figures } from '../lines/figures.js';
import { mustKeepContract } from '../lines/contract.js';
import { keepBacklog, longestGap, nowMs } from '../load/index.js';
import { count, seconds } from '../scale.js';
import { untilShared } from './sms-pods.js';

const PROBES = 24;
const BURST = 400;
/** A dead pod's entries expire after 2 s at most; then its hold. */
const FREE_MS = 3_000;
/** So many promos are a flow, and not the last ones that were in the air. */
const FLOWS = 50;

/** Recipients whose codes sms-1 sends: partitions stay where they are. */
async function recipientsOfFirstPod({ api, sandbox }: World): Promise<object[]> {
  const bodies = Array.from({ length: PROBES }, () => api.message('sms', 'P1'));
  const ids = await Promise.all(bodies.map(({ to }) => api.send('sms', 'P1', { to })));
  const sentBy = new Map<string, string>();
  await untilCalls(sandbox, PROBES, 'probes', (c) => c.priority === 'P1');
  for (const { id, pod } of sandbox.calls) sentBy.set(id, pod);
  return bodies.filter((_, i) => sentBy.get(ids[i] as string) === 'sms-1').map(({ to }) => to);
}

/** Calls by class in each of the first ten half seconds: "12/0 3/40 …". */
function halves(calls: readonly Call[], fromMs: number): string {
  const at = (priority: string, n: number): number =>
    calls.filter((c) => c.priority === priority && Math.floor((c.atEpochUs / 1000 - fromMs) / 500) === n)
      .length;
  return Array.from({ length: 10 }, (_, n) => `${at('P1', n)}/${at('P3', n)}`).join(' ');
}

journey(
  'after kill -9 of a pod whose codes press, the promos of the other pod are free again',
  ['sms-1', 'sms-2'],
  async (world) => {
    const { api, platform, sandbox } = world;
    const figures = new Figures('pod-killed-pressing');
    const ids: string[] = [];
    for (let round = 1; round <= count(1, 5); round++) {
      await untilShared(platform);
      const recipients = await recipientsOfFirstPod(world);
      expect(recipients.length).toBeGreaterThan(0);
      const backlog = await keepBacklog(world, 'sms', 'alfa', 800);
      const promo = (c: Call): boolean => c.priority === 'P3' && c.pod === 'sms-2';
      await untilCalls(sandbox, sandbox.count(promo) + 50, 'promos of sms-2', promo);
      const to = (n: number): object => recipients[n % recipients.length] as object;
      const before = sandbox.count((c) => c.priority === 'P1');
      const codes = Promise.all(
        Array.from({ length: BURST }, (_, n) => api.send('sms', 'P1', { to: to(n) })),
      );
      await untilCalls(sandbox, before + 20, 'codes', (c) => c.priority === 'P1');
      const killedAt = nowMs();
      await platform.kill('sms-1');
      const after = (c: Call): boolean => promo(c) && c.atEpochUs / 1000 > killedAt;
      await untilCalls(sandbox, FLOWS, 'promos of sms-2 after the kill', after);
      const pressed = sandbox.count((c) => c.priority === 'P1') - before;
      const freeMs = (sandbox.calls.filter(after)[FLOWS - 1] as Call).atEpochUs / 1000 - killedAt;
      const lower = sandbox.calls.filter((c) => c.priority !== 'P1');
      const others = sandbox.calls.filter((c) => c.pod === 'sms-2');
      figures.note(
        'longest pause of lower classes in the 300 ms before, ms',
        longestGap(lower, killedAt - 300, killedAt),
      );
      figures.note('codes sent before', pressed);
      figures.note('calls of the other pod in each half second after, P1/P3', halves(others, killedAt));
      const firstMs = (sandbox.calls.filter(after)[0] as Call).atEpochUs / 1000 - killedAt;
      figures.must('kill to the first promo of the other pod, ms', firstMs, { atMost: FREE_MS });
      // codes of the dead pod that it took over press in their own right; what must not happen is that nothing goes on
      figures.note(`kill to promo ${FLOWS} of the other pod, ms`, freeMs);
      figures.must(
        'longest time after the kill in which the other pod started nothing, ms',
        longestGap(others, killedAt, killedAt + freeMs),
        { atMost: FREE_MS },
      );
      await platform.restart('sms-1');
      ids.push(...(await codes), ...(await backlog.stop()));
    }
    const probes = sandbox.calls.filter((c) => c.priority === 'P1').map((c) => c.id);
    const all = [...new Set([...ids, ...probes])];
    const repeats = await expectConserved(world, all, { deadlineMs: seconds(60, 240) * 1000 });
    figures.note('repeats, all recognised by the provider', repeats);
    await mustKeepContract(figures, sandbox);
    figures.hold();
  },
);
