import { CatalogueFile } from '@commservice/accept';
import { systemClock, type Channel, type Provider } from '@commservice/contracts';
import type { LogLevel, ServicePlan } from '@commservice/telemetry';
import type { ProviderRequest } from '../dispatcher-options.js';
import { dispatcherPlan } from './dispatcher-plan.js';

/** The settings of a dispatcher app, as its environment schema parses them. */
export interface DispatcherSettings {
  readonly NODE_ENV: string;
  readonly HOST: string;
  readonly PORT: number;
  readonly POD: string;
  readonly LOG_LEVEL: LogLevel;
  readonly BUILD: string;
  readonly KAFKA_BROKERS: readonly string[];
  readonly REDIS_URL: string;
  readonly REDIS_PREFIX: string;
  readonly DATABASE_URL: string;
  readonly CATALOGUE_FILE: string;
  readonly MASTER_KEY: { bytes(): Buffer };
  readonly PROVIDER_URL: string;
  readonly RECEIPT_BASE_URL?: string;
  readonly LANES: readonly string[];
  readonly INIT_GROUP: boolean;
}

/** Makes a provider of one channel; the four provider libs export one each. */
export type ProviderFactory = (options: ProviderRequest & { baseUrl: string }) => Provider;

/** The whole service plan of a dispatcher app: all four are this, with their channel and provider. */
export function dispatcherService(
  channel: Channel,
  settings: DispatcherSettings,
  createProvider: ProviderFactory,
  argv: readonly string[],
): ServicePlan {
  const { POD, PORT, HOST, LOG_LEVEL, BUILD } = settings;
  return {
    pod: POD,
    port: PORT,
    host: HOST,
    logLevel: LOG_LEVEL,
    build: BUILD,
    ...dispatcherPlan(async ({ logger }) => ({
      channel,
      pod: POD,
      build: BUILD,
      kafka: { brokers: settings.KAFKA_BROKERS, clientId: POD },
      redis: { url: settings.REDIS_URL, keyPrefix: settings.REDIS_PREFIX },
      databaseUrl: settings.DATABASE_URL,
      masterKey: settings.MASTER_KEY.bytes(),
      catalogue: await new CatalogueFile({
        path: settings.CATALOGUE_FILE,
        production: settings.NODE_ENV === 'production',
        logger,
      }).load(),
      lanes: settings.LANES,
      receiptBaseUrl: settings.RECEIPT_BASE_URL ?? `http://${HOST}:${PORT}`,
      initGroup: settings.INIT_GROUP || argv.includes('--init-group'),
      provider: (wanted) => createProvider({ ...wanted, baseUrl: settings.PROVIDER_URL }),
      clock: systemClock,
    })),
  };
}
