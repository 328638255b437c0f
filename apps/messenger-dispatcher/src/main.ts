import { loadConfig } from '@commservice/config';
import { dispatcherService } from '@commservice/dispatch';
import { createMessengerProvider } from '@commservice/provider-messenger';
import { runService } from '@commservice/telemetry';
import { env } from './config.js';

void runService({
  service: 'messenger-dispatcher',
  configure: () =>
    dispatcherService('messenger', loadConfig(env, process.env), createMessengerProvider, process.argv),
});
