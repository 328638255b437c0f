import fc from 'fast-check';
import { BatchTurns } from '../publish/batch-turns.js';
import { HttpProblem } from './http-problem.js';
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
  '{"messages":{"messages":[1]}}',
  '{"messages":"messages","x":[1]}',
  '{"x":"messages","y":[1]}',
  '{"messages":[1],"x":[{"a":[]}]}',
  '{"mess\\u0061ges":[1,2]}',
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
  '{"messages":["\\',
  '{"messages":["\\\\\\"]}"],"\\"messages":[1]}',
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

const longest = (calls: readonly (readonly unknown[])[]): number =>
  calls.reduce((length, [text]) => Math.max(length, String(text).length), 0);

/** What a body is refused with, and the longest text that was given to `JSON.parse` until then. */
async function refusal(text: string): Promise<{ errors: unknown; parsed: number }> {
  const parse = jest.spyOn(JSON, 'parse');
  const error = await parseLargeBatch(Buffer.from(text), new BatchTurns()).catch((e: unknown) => e);
  const parsed = longest(parse.mock.calls);
  parse.mockRestore();
  if (!(error instanceof HttpProblem)) return { errors: 'not refused', parsed };
  return { errors: error.problem.errors?.map((e) => `${e.pointer} ${e.code}`), parsed };
}
const MANY = `[${Array(1_700_000).fill('{}').join(',')}]`;
const objects = (count: number): string => `[${Array(count).fill('{}').join(',')}]`;

it.each([
  ['too many items', `{"messages":${MANY}}`, '/messages too_many_entries'],
  ['items without end', `{"messages":${MANY.slice(0, -1)}`, '/messages too_many_entries'],
  ['the key twice', `{"messages":[1],"messages":${MANY}}`, '/messages duplicate_field'],
  ['the key in another spelling', '{"messages":[1],"mess\\u0061ges":[2]}', '/messages duplicate_field'],
  ['the key with another value', '{"messages":[1],"messages":{}}', '/messages duplicate_field'],
  ['many values before the list', `{"x":${MANY},"messages":[1]}`, ' too_complex'],
  ['many values after the list', `{"messages":[1],"x":${MANY}}`, ' too_complex'],
  ['many values and no list', `{"x":${MANY}}`, ' too_complex'],
  ['a list in place of the object', MANY, ' body_not_object'],
  ['the key escaped from the start', `{"mess\\u0061ges":${MANY}}`, ' too_complex'],
  ['a long text outside the list', `{"messages":[1],"x":"${'x'.repeat(600_000)}"}`, ' too_complex'],
])('refuses what cannot be a batch without parsing it: %s', async (_name, text, error) => {
  const { errors, parsed } = await refusal(text);
  expect(errors).toEqual([error]);
  expect(parsed).toBeLessThan(1000);
});

it('does not parse an item with more values than a message, and reads the others', async () => {
  const text = `{"messages":[1,${MANY},{"a":${objects(700)}},{"a":${objects(400)}},"${'x'.repeat(600_000)}",2]}`;
  const parse = jest.spyOn(JSON, 'parse');
  const { messages } = (await parseLargeBatch(Buffer.from(text), new BatchTurns())) as {
    messages: unknown[];
  };
  const parsed = longest(parse.mock.calls);
  parse.mockRestore();
  expect([messages.length, messages[0], messages[3], messages[5]]).toEqual([
    6,
    1,
    { a: Array(400).fill({}) },
    2,
  ]);
  expect(new Set([1, 2, 4].map((at) => messages[at])).size).toBe(1);
  expect(parsed).toBeLessThan(2000);
});

it('gives way to others inside one long text full of escapes', async () => {
  const body = Buffer.from(`{"messages":["${'\\"'.repeat(1 << 20)}"]}`);
  const next = jest.spyOn(BatchTurns.prototype, 'next');
  await parseLargeBatch(body, new BatchTurns());
  expect(next.mock.calls.length).toBeGreaterThanOrEqual(body.length / (64 << 10));
  next.mockRestore();
});
