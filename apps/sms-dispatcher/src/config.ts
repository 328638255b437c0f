import { dispatcherEnv } from '@commservice/config';
import { z } from 'zod';

/** What the sms dispatcher reads from its environment. */
export const env = z.object(dispatcherEnv(3011, 'sms'));
