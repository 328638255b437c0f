import { dispatcherEnv } from '@commservice/config';
import { z } from 'zod';

/** What the messenger dispatcher reads from its environment. */
export const env = z.object(dispatcherEnv(3014, 'messenger'));
