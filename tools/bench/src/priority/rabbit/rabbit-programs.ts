import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { searchPath } from '../../config.js';

/** The programs of a RabbitMQ on this machine. */
export interface RabbitPrograms {
  readonly server: string;
  /** Erlang's name server. */
  readonly epmd: string;
}

/** A package's guard in front of the program: it insists on its own user and folders. */
const GUARD = 'rabbitmq-script-wrapper';

function onPath(name: string, folders: string): string | undefined {
  const files = folders.split(path.delimiter).map((folder) => path.join(folder, name));
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The program that a name on the PATH stands for: the one beside the guard where a package put one. */
function behindGuard(file: string): string {
  const real = realpathSync(file);
  if (path.basename(real) !== GUARD) return file;
  const beside = path.join(path.dirname(real), path.basename(file));
  return existsSync(beside) ? beside : file;
}

/** Finds RabbitMQ on the PATH; undefined when it is not installed. Default: this process's PATH. */
export function findRabbit(folders = searchPath()): RabbitPrograms | undefined {
  const server = onPath('rabbitmq-server', folders);
  const epmd = onPath('epmd', folders);
  return server && epmd ? { server: behindGuard(server), epmd } : undefined;
}
