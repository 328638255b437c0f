import { traceIdOf } from '@commservice/contracts';
import fc from 'fast-check';
import {
  childOf,
  continueTrace,
  formatTraceparent,
  newTrace,
  parseTraceparent,
  parseTracestate,
  traceHeaders,
} from './trace.js';

const ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const VALID = `00-${ID}-${SPAN}-01`;

const seeded = fc.uint8Array({ minLength: 24, maxLength: 24 }).map((bytes) => {
  let at = 0;
  return (size: number): Buffer => Buffer.from(bytes.subarray(at, (at += size)));
});

describe('traceparent', () => {
  it('reads back what it writes, for any random bytes, and contracts agree on the trace id', () => {
    fc.assert(
      fc.property(seeded, fc.boolean(), (random, sampled) => {
        const trace = newTrace(random, sampled);
        expect(parseTraceparent(formatTraceparent(trace))).toEqual(trace);
        expect(traceIdOf(formatTraceparent(trace))).toBe(trace.traceId);
      }),
    );
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['an all-zero trace id', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['an all-zero span id', `00-${ID}-${'0'.repeat(16)}-01`],
    ['the forbidden version', `ff-${ID}-${SPAN}-01`],
    ['upper case', VALID.toUpperCase()],
    ['text after version 00', `${VALID}-more`],
    ['a short id', `00-${ID.slice(1)}-${SPAN}-01`],
  ])('refuses %s', (_case, header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });

  it('takes a later version with more fields', () => {
    expect(parseTraceparent(`01-${ID}-${SPAN}-03-more`)).toEqual({
      traceId: ID,
      spanId: SPAN,
      sampled: true,
    });
  });

  it('never throws on any text', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => void parseTraceparent(a, b)));
  });
});

describe('tracestate', () => {
  it('is passed on unchanged', () => {
    const trace = parseTraceparent(VALID, 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7');
    expect(traceHeaders(childOf(trace ?? newTrace())).tracestate).toBe(
      'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7',
    );
  });

  it.each([
    ['longer than 512 characters', `a=${'x'.repeat(511)}`],
    ['of more than 32 members', Array.from({ length: 33 }, (_, i) => `k${i}=v`).join(',')],
    ['with a repeated key', 'a=1,a=2'],
    ['with a bad key', 'A=1'],
    ['with a control character', 'a=\u0007'],
    ['without a value', 'a'],
    ['empty', ' , '],
  ])('is dropped when %s, and the trace is kept', (_case, state) => {
    expect(parseTracestate(state)).toBeUndefined();
    expect(parseTraceparent(VALID, state)).toEqual({ traceId: ID, spanId: SPAN, sampled: true });
  });
});

describe('continueTrace', () => {
  it('keeps the trace and makes a new span', () => {
    const next = continueTrace(VALID);
    expect(next.traceId).toBe(ID);
    expect(next.spanId).not.toBe(SPAN);
  });

  it('begins a new trace when there is none', () => {
    expect(parseTraceparent(formatTraceparent(continueTrace('nonsense')))).toBeDefined();
  });
});
