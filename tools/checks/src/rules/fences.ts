import type { Finding } from '../finding.js';
import { modulesOf, packageOf } from '../modules.js';
import { isTest, type TextFile } from '../tree.js';

/** Packages that only some places may import, so that each has one owner. */
const FENCES: readonly { readonly packages: RegExp; readonly where: RegExp; readonly owner: string }[] = [
  { packages: /^kafkajs/, where: /^libs\/kafka\//, owner: 'libs/kafka' },
  { packages: /^(ioredis|bullmq|@nestjs\/bullmq)$/, where: /^libs\/redis\//, owner: 'libs/redis' },
  { packages: /^pg$/, where: /^libs\/postgres\//, owner: 'libs/postgres' },
  { packages: /^undici$/, where: /^libs\/providers\//, owner: 'libs/providers' },
  { packages: /^@nestjs\//, where: /^apps\/|^libs\/[^/]+\/src\/nest\//, owner: "apps and libs' src/nest" },
];
/** They look at the servers past our own libs. */
const FREE = /^tools\/(testkit|bench)\//;

/** Only the owner imports a fenced package. */
export function fences(tree: readonly TextFile[]): Finding[] {
  return tree
    .filter(({ path }) => !isTest(path) && !FREE.test(path))
    .flatMap((file) =>
      modulesOf(file).flatMap(({ specifier, line }) => {
        const name = packageOf(specifier);
        const fence = name && FENCES.find((f) => f.packages.test(name));
        if (!fence || fence.where.test(file.path)) return [];
        return [{ path: file.path, line, message: `imports ${name}, which only ${fence.owner} may` }];
      }),
    );
}
