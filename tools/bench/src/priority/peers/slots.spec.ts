import { Slots } from './slots.js';

describe('Slots', () => {
  it('lets only so many work at once, and all of them in the end', async () => {
    const slots = new Slots(2);
    const release: (() => void)[] = [];
    const started: number[] = [];
    const all = [1, 2, 3].map((n) =>
      slots.run(() => {
        started.push(n);
        return new Promise<void>((resolve) => release.push(resolve));
      }),
    );
    expect(started).toEqual([1, 2]);
    release[0]?.();
    await all[0];
    expect(started).toEqual([1, 2, 3]);
    release.slice(1).forEach((end) => end());
    await Promise.all(all);
  });

  it('frees the slot of one that failed', async () => {
    const slots = new Slots(1);
    await expect(slots.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(slots.run(() => Promise.resolve('yes'))).resolves.toBe('yes');
  });
});
