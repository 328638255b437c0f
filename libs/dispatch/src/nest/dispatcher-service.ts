import { networkInterfaces } from 'node:os';
import { CatalogueFile } from '@commservice/accept';
import { systemClock, type Catalogue, type Channel, type Provider } from '@commservice/contracts';
import type { LogLevel, ServicePlan, ServiceRuntime } from '@commservice/telemetry';
import type { CatalogueChanges } from '../catalogue/live-catalogue.js';
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
    ...dispatcherPlan(async (runtime) => ({
      channel,
      pod: POD,
      build: BUILD,
      kafka: { brokers: settings.KAFKA_BROKERS, clientId: POD },
      address: addressOf(HOST, PORT),
      redis: { url: settings.REDIS_URL, keyPrefix: settings.REDIS_PREFIX },
      databaseUrl: settings.DATABASE_URL,
      masterKey: settings.MASTER_KEY.bytes(),
      ...(await openCatalogue(settings, runtime)),
      lanes: settings.LANES,
      receiptBaseUrl: settings.RECEIPT_BASE_URL ?? `http://${HOST}:${PORT}`,
      initGroup: settings.INIT_GROUP || argv.includes('--init-group'),
      provider: (wanted) => createProvider({ ...wanted, baseUrl: settings.PROVIDER_URL }),
      clock: systemClock,
    })),
  };
}

/** Loads the catalogue; its file is watched from the moment on that somebody listens, so that no change is missed. */
async function openCatalogue(
  settings: DispatcherSettings,
  runtime: ServiceRuntime,
): Promise<{ catalogue: Catalogue; catalogueChanges: CatalogueChanges }> {
  const file = new CatalogueFile({
    path: settings.CATALOGUE_FILE,
    production: settings.NODE_ENV === 'production',
    logger: runtime.logger.child({ part: 'catalogue' }),
  });
  runtime.onRelease('catalogue', () => file.stop());
  const onChange: CatalogueChanges['onChange'] = (listener) => {
    file.watch();
    return file.onChange(listener);
  };
  return { catalogue: await file.load(), catalogueChanges: { onChange } };
}

/**
 * Where other pods reach this process: the address it listens on, or, where it listens on all, this machine's first one.
 * Undefined when there is none, or when the system chooses the port. Members of other hosts may have the same one (loopback, a
 * bridge): kafka's watch leaves those alone.
 */
function addressOf(host: string, port: number): string | undefined {
  if (port === 0) return undefined;
  if (host !== '0.0.0.0' && host !== '::') return `${host}:${port}`;
  const own = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const first = own.find(({ family, internal }) => family === 'IPv4' && !internal);
  return first && `${first.address}:${port}`;
}
