import { dispatcherEnv } from '@commservice/config';
import { z } from 'zod';

/** What the email dispatcher reads from its environment. */
export const env = z.object(dispatcherEnv(3013, 'email'));
