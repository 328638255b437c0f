import { loadConfig } from '@commservice/config';
import { dispatcherService } from '@commservice/dispatch';
import { createSmsProvider } from '@commservice/provider-sms';
import { runService } from '@commservice/telemetry';
import { env } from './config.js';

void runService({
  service: 'sms-dispatcher',
  configure: () => dispatcherService('sms', loadConfig(env, process.env), createSmsProvider, process.argv),
});
