export * from './advisory-lock.js';
export * from './audit-log.js';
export * from './controls/lane-control-store.js';
export * from './dead-letters/dead-letter-store.js';
export { DEAD_LETTER_STATES, type DeadLetter, type DeadLetterState } from './dead-letters/dead-letter.js';
export type { DeadLetterFilter } from './dead-letters/dead-letter-filter.js';
export * from './keys/key-ring.js';
export * from './messages/message.js';
export * from './messages/message-store.js';
export type { MessageQuery } from './messages/search-sql.js';
export * from './messages/sweeper.js';
export { MigrationFault, migrate, type MigrateOptions } from './migrate.js';
export * from './postgres.js';
export {
  REDRIVE_STATES,
  SKIP_REASONS,
  type CancelResult,
  type CreateResult,
  type ItemResult,
  type RedriveItem,
  type RedriveJob,
  type RedriveRequest,
  type RedriveSelector,
  type RedriveState,
  type SkipReason,
} from './redrive/redrive-job.js';
export * from './redrive/redrive-progress.js';
export * from './redrive/redrive-store.js';
export * from './sql-fault.js';
