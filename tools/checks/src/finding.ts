/** One breach of a repo rule. */
export interface Finding {
  /** File or folder, relative to the root of the repo. */
  readonly path: string;
  /** From 1. */
  readonly line?: number;
  /** What is wrong, in one sentence. */
  readonly message: string;
}

/** `path:line message`, which editors and terminals can jump to. */
export const show = ({ path, line, message }: Finding): string =>
  `${line === undefined ? path : `${path}:${line}`} ${message}`;
