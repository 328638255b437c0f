import { stopAll } from './dispatcher-plan.js';

it('waits for every lane although one fails to stop, and tells of that one then', async () => {
  const stopped: string[] = [];
  const later = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    stopped.push('later');
  };
  const lanes = [{ stop: () => Promise.reject(new Error('one lane')) }, { stop: later }];
  await expect(stopAll(lanes)).rejects.toThrow('one lane');
  expect(stopped).toEqual(['later']);
});
