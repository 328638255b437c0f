import { MAX_PAUSE_MS, MIN_PAUSE_MS, StandBack } from './stand-back.js';

it('pauses as briefly as it may while pauses end in time', () => {
  const standBack = new StandBack();
  for (const lateMs of [0, 0.2, 0.4]) standBack.ended(lateMs);
  expect(standBack.pauseMs).toBe(MIN_PAUSE_MS);
});

it('pauses longer at once when a pause ends late, within its bound', () => {
  const standBack = new StandBack();
  standBack.ended(3);
  expect(standBack.pauseMs).toBe(12);
  standBack.ended(80);
  expect(standBack.pauseMs).toBe(MAX_PAUSE_MS);
});

it('forgets lateness over the pauses that end in time', () => {
  const standBack = new StandBack();
  standBack.ended(5);
  const pausesMs = Array.from({ length: 12 }, () => {
    standBack.ended(0);
    return standBack.pauseMs;
  });
  expect(pausesMs).toEqual([...pausesMs].sort((a, b) => b - a));
  expect(pausesMs[0]).toBe(16);
  expect(pausesMs.at(-1)).toBe(MIN_PAUSE_MS);
});
