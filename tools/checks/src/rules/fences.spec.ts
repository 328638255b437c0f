import { fences } from './fences.js';

const found = (path: string, text: string) => fences([{ path, text }]).map((f) => f.line);

describe('fences', () => {
  it.each([
    ['libs/dispatch/src/a.ts', `\nimport { Kafka } from 'kafkajs';`],
    ['apps/ingest-api/src/a.ts', `\nimport type { Consumer } from 'kafkajs';`],
    ['libs/dispatch/src/a.ts', `\nconst q = require('kafkajs/src/network/requestQueue');`],
    ['libs/kafka/src/a.ts', `\nexport { Redis } from 'ioredis';`],
    ['libs/redis/src/a.ts', `\nconst pg = await import('pg');`],
    ['libs/accept/src/a.ts', `\nimport { Module } from '@nestjs/common';`],
    ['libs/accept/src/nested/a.ts', `\nimport { Module } from '@nestjs/common';`],
  ])('refuses in %s: %s', (path, text) => {
    expect(found(path, text)).toEqual([2]);
  });

  it.each([
    ['libs/kafka/src/a.ts', `import { Kafka } from 'kafkajs';`],
    ['libs/kafka/src/nest/a.ts', `import { Server } from '@nestjs/microservices';`],
    ['apps/ingest-api/src/a.ts', `import { Module } from '@nestjs/common';`],
    ['tools/testkit/src/a.ts', `import { Kafka } from 'kafkajs';`],
    ['tools/bench/src/a.ts', `import { Redis } from 'ioredis';`],
    ['libs/accept/src/a.itest.ts', `import { Client } from 'pg';`],
    ['libs/accept/src/a.ts', `// import { Client } from 'pg';`],
  ])('allows in %s: %s', (path, text) => {
    expect(found(path, text)).toEqual([]);
  });
});
