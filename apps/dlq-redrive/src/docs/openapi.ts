import { problemSchema } from '@commservice/contracts';
import { z } from 'zod';
import {
  deadLetterPageSchema,
  deadLetterSchema,
  filterSchema,
  listQuerySchema,
} from '../dead-letters/schemas.js';
import {
  jobsQuerySchema,
  redriveJobSchema,
  redriveJobsSchema,
  redriveRequestSchema,
} from '../redrive-jobs/schemas.js';

const NAMED = {
  DeadLetter: deadLetterSchema,
  DeadLetterPage: deadLetterPageSchema,
  DeadLetterFilter: filterSchema,
  RedriveRequest: redriveRequestSchema,
  RedriveJob: redriveJobSchema,
  RedriveJobs: redriveJobsSchema,
  Problem: problemSchema,
} as const;

function componentSchemas(): Record<string, unknown> {
  const registry = z.registry<{ id: string; description?: string }>();
  for (const [id, schema] of Object.entries(NAMED))
    registry.add(schema, { ...z.globalRegistry.get(schema), id });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}`, io: 'input' });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const { $schema: _dialect, $id: _uri, ...rest } = schema;
      return [id, rest];
    }),
  );
}

/** The query parameters of a schema. */
function parametersOf(schema: z.ZodObject): object[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' });
  return Object.entries(properties).map(([name, property]) => ({ name, in: 'query', schema: property }));
}

const ref = (name: keyof typeof NAMED) => ({ $ref: `#/components/schemas/${name}` });
const reply = (description: string, name: keyof typeof NAMED) => ({
  description,
  content: { 'application/json': { schema: ref(name) } },
});
const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: ref('Problem') } },
});
const refusals = {
  401: problem('No key, or an unknown one'),
  403: problem('The key is not an operator’s'),
  503: problem('The database does not answer'),
};
const broken = { 422: problem('Rules are broken; `errors` lists all of them') };
const idOf = (format: object) => ({
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string', ...format },
});
const jobId = idOf({ format: 'uuid' });
const idempotencyKey = {
  ...{ name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string', maxLength: 257 } },
  description: 'The same key and body again answer with the job of then (Idempotency-Replayed: true)',
};

const create = {
  operationId: 'startRedrive',
  summary: 'Put dead letters back on their lanes',
  description:
    'The set is frozen now. Class, brand, id and trace of each message stay; expired ones are skipped and counted; what was replayed before is skipped.',
  parameters: [idempotencyKey],
  requestBody: { required: true, content: { 'application/json': { schema: ref('RedriveRequest') } } },
  responses: {
    202: { ...reply('The job', 'RedriveJob'), headers: { Location: { schema: { type: 'string' } } } },
    400: problem('The body is not JSON, or Idempotency-Key is missing'),
    ...broken,
    ...refusals,
  },
};

const PATHS = {
  '/v1/dead-letters': {
    get: {
      operationId: 'findDeadLetters',
      summary: 'Find dead letters, newest failure first',
      parameters: parametersOf(listQuerySchema),
      responses: { 200: reply('A page', 'DeadLetterPage'), ...broken, ...refusals },
    },
  },
  '/v1/dead-letters/{id}': {
    get: {
      operationId: 'getDeadLetter',
      summary: 'One dead letter with its context, without its payload',
      parameters: [idOf({ pattern: '^[0-9a-f]{32}$' })],
      responses: {
        200: reply('It', 'DeadLetter'),
        404: problem('There is no such dead letter'),
        ...refusals,
      },
    },
  },
  '/v1/redrive-jobs': {
    post: create,
    get: {
      operationId: 'findRedriveJobs',
      summary: 'Redrive jobs, newest first',
      parameters: parametersOf(jobsQuerySchema),
      responses: { 200: reply('The jobs', 'RedriveJobs'), ...broken, ...refusals },
    },
  },
  '/v1/redrive-jobs/{id}': {
    get: {
      operationId: 'getRedriveJob',
      summary: 'State, counters and progress of a job',
      parameters: [jobId],
      responses: { 200: reply('It', 'RedriveJob'), 404: problem('There is no such job'), ...refusals },
    },
  },
  '/v1/redrive-jobs/{id}/cancel': {
    post: {
      operationId: 'cancelRedrive',
      summary: 'Stop a job: within a second nothing more is produced',
      parameters: [jobId],
      responses: {
        202: reply('The job', 'RedriveJob'),
        404: problem('There is no such job'),
        409: problem('The job has already ended'),
        ...refusals,
      },
    },
  },
} as const;

/** The OpenAPI 3.1 document, made from the schemas that validate. */
export function openApiDocument(): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'commservice redrive',
      version: '1.0.0',
      description: 'For operators: see dead letters and replay them.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    paths: PATHS,
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An ops key of the catalogue' },
      },
    },
  };
}
