import {
  acceptedResponseSchema,
  BATCH_ITEM_SCHEMAS,
  batchRequestSchema,
  batchResponseSchema,
  eventsResponseSchema,
  MESSAGE_REQUEST_SCHEMAS,
  messageEventSchema,
  messageStatusSchema,
  problemSchema,
  searchResponseSchema,
} from '@commservice/contracts';
import { z } from 'zod';
import { OPERATIONS } from './operations.js';

const NAMED = {
  SmsMessage: MESSAGE_REQUEST_SCHEMAS.sms,
  PushMessage: MESSAGE_REQUEST_SCHEMAS.push,
  EmailMessage: MESSAGE_REQUEST_SCHEMAS.email,
  MessengerMessage: MESSAGE_REQUEST_SCHEMAS.messenger,
  SmsBatchItem: BATCH_ITEM_SCHEMAS.sms,
  PushBatchItem: BATCH_ITEM_SCHEMAS.push,
  EmailBatchItem: BATCH_ITEM_SCHEMAS.email,
  MessengerBatchItem: BATCH_ITEM_SCHEMAS.messenger,
  Batch: batchRequestSchema,
  AcceptedMessage: acceptedResponseSchema,
  BatchResponse: batchResponseSchema,
  MessageStatus: messageStatusSchema,
  MessageEvent: messageEventSchema,
  MessageEvents: eventsResponseSchema,
  MessagePage: searchResponseSchema,
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

/** The OpenAPI 3.1 document, made from the schemas that validate. */
export function openApiDocument(): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'commservice',
      version: '1.0.0',
      description:
        'Sends SMS, push notifications, e-mail and messenger messages. A 202 means: stored, and will be sent or end with a status.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    paths: OPERATIONS,
    components: {
      schemas: componentSchemas(),
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'A key of the catalogue' } },
    },
  };
}
