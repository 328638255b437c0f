import { Module, type DynamicModule } from '@nestjs/common';
import { DeadLetterStore, RedriveStore } from '@commservice/postgres';
import { DeadLettersController } from './dead-letters/dead-letters.controller.js';
import { DocsController } from './docs/docs.controller.js';
import { JobDesk } from './redrive-jobs/job-desk.js';
import { RedriveJobsController } from './redrive-jobs/redrive-jobs.controller.js';

/** The API's controllers over parts that are already built. */
@Module({})
export class RedriveModule {
  static of(parts: { letters: DeadLetterStore; jobs: RedriveStore; desk: JobDesk }): DynamicModule {
    return {
      module: RedriveModule,
      controllers: [DeadLettersController, RedriveJobsController, DocsController],
      providers: [
        { provide: DeadLetterStore, useValue: parts.letters },
        { provide: RedriveStore, useValue: parts.jobs },
        { provide: JobDesk, useValue: parts.desk },
      ],
    };
  }
}
