import fc from 'fast-check';
import { BatchTurns } from '../publish/batch-turns.js';
import { parseLargeBatch } from './parse-large-batch.js';

async function both(text: string): Promise<[unknown, unknown]> {
  const whole = (): unknown => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return 'malformed';
    }
  };
  const parts = parseLargeBatch(Buffer.from(text), new BatchTurns()).catch((e: unknown) =>
    e instanceof SyntaxError ? 'malformed' : e,
  );
  return [await parts, whole()];
}

it.each([
  '{"messages":[]}',
  ' {\n"messages" : [ ] }',
  '{"messages":[1, "a,]}", {"b":[1,2,{"c":"\\"]"}]}, [[]], null]}',
  '{"other":{"messages":[1]},"messages":[2]}',
  '{"messages":[1],"messages":[2,3]}',
  '{"messages":{"messages":[1]}}',
  '{"messages":"messages","x":[1]}',
  '{"x":"messages","y":[1]}',
  '{"messages":[1],"x":[{"a":[]}]}',
  '{"mess\\u0061ges":[1,2]}',
  '{"messages":[1],"mess\\u0061ges":[2]}',
  '{"messages":[1],"mess\\u0061ges":[]}',
  '{"messages":[1],"mess\\u0061ges":[2]}',
  '{"messages":[1],"mess\\u0061ges":[]}',
  '{"mess\\u0061ges":[2],"messages":[1]}',
  '["messages",[1]]',
  '{"messages":["\\\\"]}',
  '{"messages":[1}}',
  '{"messages":[1,]}',
  '{"messages":[,1]}',
  '{"messages":[,]}',
  '{"messages":[1 2]}',
  '{"messages":[{"a":1]}]}',
  '{"messages":[1]',
  '{"messages":[1]}}',
  '{"messages":[1]}x',
  '{"messages":["a]}',
  '{"messages"[1]}',
  '{"messages",[1]}',
  '{"messages"::[1]}',
  '{"messages":,[1]}',
  '{"a":"messages":[1]}',
  '',
  'null',
])('reads what JSON.parse reads, and refuses what it refuses: %s', async (text) => {
  const [parts, whole] = await both(text);
  expect(parts).toEqual(whole);
});

it('reads what JSON.parse reads, for any batch and any damage to it', async () => {
  const batch = fc.record({ messages: fc.array(fc.jsonValue()), extra: fc.jsonValue() });
  await fc.assert(
    fc.asyncProperty(
      batch,
      fc.option(fc.tuple(fc.nat(), fc.constantFrom('', '"', '[', '}', ',', '\\', ':'))),
      async (value, damage) => {
        const sound = JSON.stringify(value, null, 1);
        const at = damage ? damage[0] % sound.length : 0;
        const text = damage ? sound.slice(0, at) + damage[1] + sound.slice(at + 1) : sound;
        const [parts, whole] = await both(text);
        expect(parts).toEqual(whole);
      },
    ),
    { numRuns: 1000 },
  );
});

it('gives way to others while it reads a large body', async () => {
  const text = JSON.stringify({
    messages: Array.from({ length: 1000 }, (_, i) => ({ i, text: 'x'.repeat(5000) })),
  });
  let turns = 0;
  let reading = true;
  const count = (): void => {
    turns += 1;
    if (reading) setImmediate(count);
  };
  setImmediate(count);
  const parsed = (await parseLargeBatch(Buffer.from(text), new BatchTurns())) as { messages: unknown[] };
  reading = false;
  expect(parsed.messages).toHaveLength(1000);
  expect(turns).toBeGreaterThan(100);
});
