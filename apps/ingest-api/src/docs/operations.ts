import { STATUSES } from '@commservice/contracts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (name: string) => ({ 'application/json': { schema: ref(name) } });
const traceparent = {
  schema: { type: 'string' },
  description: 'W3C trace context of this request; your own trace goes on when you send one',
};
const reply = (description: string, name: string, headers: object = {}) => ({
  description,
  headers: { traceparent, ...headers },
  content: json(name),
});
const problem = (description: string, headers: object = {}) => ({
  description,
  headers: { traceparent, ...headers },
  content: { 'application/problem+json': { schema: ref('Problem') } },
});
const retryAfter = { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds' } };
const rateLimit = {
  RateLimit: { schema: { type: 'string' }, description: 'Where a limit applies: what is left of it' },
  'RateLimit-Policy': { schema: { type: 'string' } },
};

const query = (name: string, schema: object, description?: string) => ({
  name,
  in: 'query',
  schema,
  description,
});
const idInPath = { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } };
const headers = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', maxLength: 257 },
    description:
      'Repeats with the same key and body get the first answer for 24 h (Idempotency-Replayed: true)',
  },
  { name: 'traceparent', in: 'header', schema: { type: 'string' } },
  { name: 'tracestate', in: 'header', schema: { type: 'string' } },
];

const refusals = {
  400: problem('The body is not JSON'),
  401: problem('No key, or an unknown one'),
  403: problem('The key or its team may not do this'),
  409: problem('A request with this Idempotency-Key is still running', retryAfter),
  413: problem('The body is too large'),
  415: problem('The body is not uncompressed application/json'),
  422: problem('Rules are broken; `errors` lists all of them'),
  503: problem('It could not be stored: nothing was kept, or the acknowledgement was lost', retryAfter),
};
const readRefusals = { 401: refusals[401], 503: problem('The read model does not answer', retryAfter) };

const example = {
  channel: 'sms',
  brand: 'alfa',
  category: 'otp',
  to: { phone: '+447700900123' },
  content: { text: 'Code 481516' },
  reference: 'login-8841',
  ttl: 'PT3M',
};
const messages = ['SmsMessage', 'PushMessage', 'EmailMessage', 'MessengerMessage'].map(ref);

const submit = {
  operationId: 'sendMessage',
  summary: 'Send one message to one recipient',
  description:
    'At most 512 KiB. The category decides the class; there is no priority field. Unknown fields are refused.',
  parameters: headers,
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: { oneOf: messages, discriminator: { propertyName: 'channel' } },
        example,
      },
    },
  },
  responses: {
    202: reply('Stored on its topic, acknowledged by all replicas in sync', 'AcceptedMessage', {
      Location: { schema: { type: 'string' } },
      ...rateLimit,
    }),
    ...refusals,
    429: problem('A limit is reached; limitName says which', { ...retryAfter, ...rateLimit }),
  },
};

const submitBatch = {
  operationId: 'sendBatch',
  summary: 'Send up to 1 000 messages',
  description:
    'At most 5 MiB. P1 categories are single-message only. From 200 recipients on the class is P3, unless the category is P2 and allows bulk.',
  parameters: headers,
  requestBody: { required: true, content: json('Batch') },
  responses: {
    202: reply('All accepted', 'BatchResponse'),
    207: reply('Some accepted; each result has its own status', 'BatchResponse'),
    ...refusals,
  },
};

/** Paths and operations of the API, for the OpenAPI document. */
export const OPERATIONS = {
  '/v1/messages': {
    post: submit,
    get: {
      operationId: 'findMessages',
      summary: "Find your team's messages, newest first",
      parameters: [
        query('reference', { type: 'string', maxLength: 256 }),
        query('traceId', { type: 'string', pattern: '^[0-9a-f]{32}$' }),
        query('status', { type: 'string', enum: STATUSES }),
        query('cursor', { type: 'string' }, 'nextCursor of the page before'),
        query('limit', { type: 'integer', minimum: 1, maximum: 200, default: 50 }),
      ],
      responses: { 200: reply('A page', 'MessagePage'), 422: refusals[422], ...readRefusals },
    },
  },
  '/v1/messages/batch': { post: submitBatch },
  '/v1/messages/{id}': {
    get: {
      operationId: 'getMessage',
      summary: 'Where a message stands',
      parameters: [idInPath],
      responses: {
        200: reply('Its status', 'MessageStatus'),
        404: problem('Not one of your messages'),
        ...readRefusals,
      },
    },
  },
  '/v1/messages/{id}/events': {
    get: {
      operationId: 'getMessageEvents',
      summary: 'What happened to a message, oldest first',
      parameters: [idInPath],
      responses: {
        200: reply('Its events', 'MessageEvents'),
        404: problem('Not one of your messages'),
        ...readRefusals,
      },
    },
  },
} as const;
