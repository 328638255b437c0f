import path from 'node:path';
import { REPO_ROOT } from '../root.js';

/** 32 bytes that spell their purpose; the apps refuse them when NODE_ENV=production. */
export const DEVELOPMENT_MASTER_KEY = Buffer.from('commservice-development-only-key').toString('base64');
export const DEVELOPMENT_CATALOGUE = path.join(REPO_ROOT, 'tools', 'stack', 'catalogue.yaml');
