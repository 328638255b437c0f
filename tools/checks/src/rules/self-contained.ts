import type { Finding } from '../finding.js';
import type { TextFile } from '../tree.js';

// put together here, or this file would break its own rule
const OUTSIDE = [new RegExp(`\\.\\./${'shared'}\\b`), new RegExp(`(^|[^\\w.])/${'work'}/`)];

/** Nothing in the repo needs, or names, a folder of the machine it was written on. */
export function selfContained(tree: readonly TextFile[]): Finding[] {
  return tree.flatMap((file) =>
    file.text
      .split('\n')
      .flatMap((text, i) =>
        OUTSIDE.some((pattern) => pattern.test(text))
          ? [{ path: file.path, line: i + 1, message: 'names a folder outside the repo' }]
          : [],
      ),
  );
}
