import type { LaneControl } from '@commservice/postgres';
import type { Logger } from '@commservice/telemetry';
import { silentLogger } from '@commservice/telemetry';
import { LaneControls } from './lane-controls.js';

const pause = (name: string): LaneControl => ({
  ...{ kind: 'lane-pause', name, value: 'paused', reason: 'INC-1', actor: 'ops-demo', at: 1_790_000_000_000 },
});
const mode = (value: string): LaneControl => ({ ...pause('sms-a'), kind: 'scope-mode', value });

/** A store that answers what it holds, or as told. */
function rig(deadlineMs = 800) {
  const state = { held: [] as LaneControl[], away: false, hung: false, now: 0, looks: 0 };
  const lines: string[] = [];
  const log = (_fields: unknown, message: string): void => void lines.push(message);
  const logger: Logger = { ...silentLogger, info: log, warn: log };
  const controls = new LaneControls({
    store: {
      all: () => {
        state.looks++;
        if (state.hung) return new Promise(() => undefined);
        return state.away ? Promise.reject(new Error('ECONNREFUSED')) : Promise.resolve([...state.held]);
      },
    },
    clock: { now: () => state.now, monotonic: () => state.now },
    logger,
    pollMs: 2,
    deadlineMs,
  });
  return Object.assign(state, { controls, lines });
}

describe('LaneControls', () => {
  it('knows from the start what was ordered before', async () => {
    const r = rig();
    r.held = [pause('sms:P3'), mode('strict')];
    await r.controls.start(1_000);
    r.controls.stop();
    expect(r.controls.pauseOf('sms:P3')).toMatchObject({ actor: 'ops-demo', reason: 'INC-1' });
    expect(r.controls.pauseOf('sms:P2')).toBeUndefined();
    expect(r.controls.modeOf('sms-a')?.value).toBe('strict');
    expect(r.controls.modeOf('sms:P3')).toBeUndefined();
  });

  it('follows by itself, and tells of each change once', async () => {
    const r = rig();
    const seen: boolean[] = [];
    await r.controls.start(1_000);
    const changed = new Promise<void>((resolve) =>
      r.controls.onChange(() => {
        seen.push(r.controls.pauseOf('sms:P3') !== undefined);
        if (seen.length === 2) resolve();
        else r.held = [];
      }),
    );
    r.held = [pause('sms:P3')];
    await changed;
    r.controls.stop();
    await r.controls.refresh();
    expect(seen).toEqual([true, false]);
    expect(r.lines).toEqual(['an operator ordered', "an operator's order was lifted"]);
  });

  it('lets what it knows hold while PostgreSQL is away, says so once, and follows again', async () => {
    const r = rig();
    r.held = [pause('sms:P3')];
    await r.controls.refresh();
    r.away = true;
    r.held = [];
    r.now = 5_000;
    expect([await r.controls.refresh(), await r.controls.refresh()]).toEqual([false, false]);
    expect(r.controls.pauseOf('sms:P3')).toBeDefined();
    expect(r.controls.ageMs).toBe(5_000);
    r.away = false;
    expect(await r.controls.refresh()).toBe(true);
    expect(r.controls.pauseOf('sms:P3')).toBeUndefined();
    expect(r.controls.ageMs).toBe(0);
    expect(r.lines.filter((l) => /cannot be read/.test(l))).toHaveLength(1);
    expect(r.lines).toContain('the controls of lanes are read again');
  });

  it('waits no longer than its deadline for an answer that does not come', async () => {
    const r = rig(5);
    r.hung = true;
    expect(await r.controls.refresh()).toBe(false);
  });

  it('does not start without a view: a pause could be missed', async () => {
    const r = rig();
    r.away = true;
    await expect(r.controls.start(-1)).rejects.toThrow('cannot be read');
  });

  it('leaves a mode that only a newer build knows to the catalogue', async () => {
    const r = rig();
    r.held = [mode('round-robin')];
    await r.controls.refresh();
    expect(r.controls.modeOf('sms-a')).toBeUndefined();
  });
});
