import path from 'node:path';

/** The repository's folder; the same from `src` and from `dist`. */
export const REPO_ROOT = path.resolve(__dirname, '../../..');

/** Where the local platform keeps downloads, data, logs and pid files. */
export const DEFAULT_DATA_DIR = path.join(REPO_ROOT, '.stack');
