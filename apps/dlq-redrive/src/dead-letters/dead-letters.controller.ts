import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { faultsOf } from '@commservice/accept';
import { DeadLetterStore } from '@commservice/postgres';
import type { z } from 'zod';
import { fromDatabase, notFound, refused } from '../http/http-problem.js';
import { deadLetterBody, filterOf } from './dead-letter-body.js';
import { listQuerySchema, type DeadLetterBody, type deadLetterPageSchema } from './schemas.js';

/** `/v1/dead-letters`: what died, where, when and why. Never a payload. */
@Controller('v1/dead-letters')
export class DeadLettersController {
  constructor(@Inject(DeadLetterStore) private readonly store: DeadLetterStore) {}

  @Get()
  async list(@Query() query: unknown): Promise<z.infer<typeof deadLetterPageSchema>> {
    const parsed = listQuerySchema.safeParse(query);
    if (!parsed.success) throw refused(faultsOf(parsed.error.issues, query));
    const { cursor, limit, ...filter } = parsed.data;
    const page = { limit, ...(cursor === undefined ? {} : { cursor }) };
    const result = await fromDatabase(() => this.store.search(filterOf(filter), page));
    if (result.kind === 'invalid-cursor') {
      throw refused([{ pointer: '/cursor', code: 'invalid_format', detail: 'The cursor is none of ours' }]);
    }
    const now = Date.now();
    return {
      deadLetters: result.deadLetters.map((d) => deadLetterBody(d, now)),
      ...(result.nextCursor === undefined ? {} : { nextCursor: result.nextCursor }),
    };
  }

  @Get(':id')
  async byId(@Param('id') id: string): Promise<DeadLetterBody> {
    const letter = await fromDatabase(() => this.store.byId(id));
    if (!letter) throw notFound('dead letter');
    return deadLetterBody(letter, Date.now());
  }
}
