import type { PortName } from '../ports.js';

/** The processes of `npm start` that are ours, in the order of the data path. A process's name is its pod name too. */
export const APPS = [
  'ingest-api',
  'sms-1',
  'sms-2',
  'push-1',
  'email-1',
  'messenger-1',
  'status-projector',
  'dlq-redrive',
] as const satisfies readonly PortName[];

/** More pods of one dispatcher, for benches: `npm start` runs none of them. */
export const BENCH_APPS = ['sms-3', 'sms-4'] as const satisfies readonly PortName[];

/** Every process of ours that a platform can run. */
export const ALL_APPS = [...APPS, ...BENCH_APPS] as const;
export type AppName = (typeof ALL_APPS)[number];

/** The folder in `apps/` that each process runs. */
export const APP_FOLDER: Record<AppName, string> = {
  'ingest-api': 'ingest-api',
  'sms-1': 'sms-dispatcher',
  'sms-2': 'sms-dispatcher',
  'sms-3': 'sms-dispatcher',
  'sms-4': 'sms-dispatcher',
  'push-1': 'push-dispatcher',
  'email-1': 'email-dispatcher',
  'messenger-1': 'messenger-dispatcher',
  'status-projector': 'status-projector',
  'dlq-redrive': 'dlq-redrive',
};
