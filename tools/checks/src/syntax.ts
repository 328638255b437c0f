import ts from 'typescript';
import type { TextFile } from './tree.js';

/** Every node below a file, parents first. */
export function* nodesOf(file: TextFile): Generator<ts.Node> {
  yield* below(parse(file));
}

function* below(node: ts.Node): Generator<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* below(child);
}

const parsed = new WeakMap<TextFile, ts.SourceFile>();

/** The syntax tree; no types, so it needs no build. */
export function parse(file: TextFile): ts.SourceFile {
  const known = parsed.get(file);
  if (known) return known;
  const tree = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ES2023, true);
  parsed.set(file, tree);
  return tree;
}

/** The line of a position, from 1. */
export const lineAt = (file: TextFile, position: number): number =>
  parse(file).getLineAndCharacterOfPosition(position).line + 1;
