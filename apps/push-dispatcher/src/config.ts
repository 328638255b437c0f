import { dispatcherEnv } from '@commservice/config';
import { z } from 'zod';

/** What the push dispatcher reads from its environment. */
export const env = z.object(dispatcherEnv(3012, 'push'));
