import { z } from 'zod';

/** One fault of a request. It names the field and the rule; it never repeats what was sent. */
export const fieldErrorSchema = z.strictObject({
  pointer: z.string().describe('JSON pointer (RFC 6901) into the request body; empty = the whole body'),
  code: z.string().describe('Stable short code of the rule, snake_case, for example `phone_too_short`'),
  detail: z.string().describe('One plain sentence for people'),
});
export type FieldError = z.infer<typeof fieldErrorSchema>;

/** An RFC 9457 problem document (`application/problem+json`), ours for every reply that is not a success. */
export const problemSchema = z
  .strictObject({
    type: z.string().describe('`/problems/<name>`, stable'),
    title: z.string().describe('The same for every problem of that type'),
    status: z.number().int().describe('The HTTP status, repeated'),
    detail: z.string().describe('What is wrong this time'),
    instance: z.string().optional().describe('Path of the request'),
    errors: z.array(fieldErrorSchema).optional().describe('All faults at once; always present with 422'),
    traceId: z.string().optional().describe('Quote it when you ask for help'),
    limitName: z.string().optional().describe('429: which limit was met'),
    retryAfterSeconds: z.number().optional().describe('429 and 503: the same as Retry-After, with decimals'),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem document' });
export type Problem = z.infer<typeof problemSchema>;

/** Types of problems: name → title. The type URI is `/problems/<name>`. */
export const PROBLEMS = {
  'malformed-body': 'The body is not valid JSON',
  'invalid-request': 'The request breaks one or more rules',
  unauthenticated: 'The key is missing or unknown',
  forbidden: 'The key may not do this',
  'not-found': 'There is nothing at this address',
  'method-not-allowed': 'This address does not take that method',
  'body-too-large': 'The body is too large',
  'unsupported-media-type': 'The body must be uncompressed application/json',
  'request-in-progress': 'A request with this Idempotency-Key is still running',
  'rate-limited': 'A limit was reached',
  unavailable: 'The platform cannot take this now',
  internal: 'Something went wrong on our side',
} as const;
export type ProblemName = keyof typeof PROBLEMS;

/** A problem document of a known type. */
export function problemOf(
  name: ProblemName,
  status: number,
  detail: string,
  more: Partial<Omit<Problem, 'type' | 'title' | 'status' | 'detail'>> = {},
): Problem {
  return { type: `/problems/${name}`, title: PROBLEMS[name], status, detail, ...more };
}
