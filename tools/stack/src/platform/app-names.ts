import type { PortName } from '../ports.js';

/** Every process of the platform that is ours, in the order of the data path. Its name is its pod name too. */
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
export type AppName = (typeof APPS)[number];

/** The folder in `apps/` that each process runs. */
export const APP_FOLDER: Record<AppName, string> = {
  'ingest-api': 'ingest-api',
  'sms-1': 'sms-dispatcher',
  'sms-2': 'sms-dispatcher',
  'push-1': 'push-dispatcher',
  'email-1': 'email-dispatcher',
  'messenger-1': 'messenger-dispatcher',
  'status-projector': 'status-projector',
  'dlq-redrive': 'dlq-redrive',
};
