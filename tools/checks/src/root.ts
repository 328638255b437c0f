import path from 'node:path';

/** The root of the repo, seen from tools/checks/src or tools/checks/dist. */
export const REPO_ROOT = path.resolve(__dirname, '../../..');
