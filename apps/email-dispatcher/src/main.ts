import { loadConfig } from '@commservice/config';
import { dispatcherService } from '@commservice/dispatch';
import { createEmailProvider } from '@commservice/provider-email';
import { runService } from '@commservice/telemetry';
import { env } from './config.js';

void runService({
  service: 'email-dispatcher',
  configure: () =>
    dispatcherService('email', loadConfig(env, process.env), createEmailProvider, process.argv),
});
