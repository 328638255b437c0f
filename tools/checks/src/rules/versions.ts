import type { Finding } from '../finding.js';

/** A package.json, as far as this rule reads it. */
export interface Versions {
  readonly path: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const EXACT = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const OURS = '@commservice/';

/** Every package is pinned exactly, and to one version in the whole repo. Our own are `*`: the workspace decides. */
export function versions(manifests: readonly Versions[]): Finding[] {
  const first = new Map<string, string>();
  return manifests.flatMap(({ path, dependencies }) =>
    Object.entries(dependencies).flatMap(([name, version]) => {
      const fault = faultOf(name, version, first.get(name) ?? version);
      if (!first.has(name)) first.set(name, version);
      return fault === undefined ? [] : [{ path, message: fault }];
    }),
  );
}

function faultOf(name: string, version: string, other: string): string | undefined {
  if (name.startsWith(OURS)) return version === '*' ? undefined : `must name ${name} as "*"`;
  if (!EXACT.test(version)) return `must pin ${name} to an exact version`;
  return version === other ? undefined : `has another version of ${name} than another project`;
}
