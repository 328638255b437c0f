import { loadConfig } from '@commservice/config';
import { dispatcherService } from '@commservice/dispatch';
import { createPushProvider } from '@commservice/provider-push';
import { runService } from '@commservice/telemetry';
import { env } from './config.js';

void runService({
  service: 'push-dispatcher',
  configure: () => dispatcherService('push', loadConfig(env, process.env), createPushProvider, process.argv),
});
