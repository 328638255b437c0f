import { Module, type DynamicModule } from '@nestjs/common';
import { DocsController } from './docs/docs.controller.js';
import { MessagesController } from './messages/messages.controller.js';
import { MessageReader } from './messages/reader.js';
import { Submission } from './messages/submission.js';

/** The API's controllers over parts that are already built. */
@Module({})
export class IngestModule {
  static of(parts: { submission: Submission; reader: MessageReader }): DynamicModule {
    return {
      module: IngestModule,
      controllers: [MessagesController, DocsController],
      providers: [
        { provide: Submission, useValue: parts.submission },
        { provide: MessageReader, useValue: parts.reader },
      ],
    };
  }
}
