import ts from 'typescript';
import type { Finding } from '../finding.js';
import { lineAt, nodesOf } from '../syntax.js';
import { isTest, isTypeScript, type TextFile } from '../tree.js';

const ALLOWED = /^(apps|tools)\/[^/]+\/src\/(main|config)\.ts$/;

/** `process.env` is read in one place an app: main.ts or config.ts. */
export function environmentAccess(tree: readonly TextFile[]): Finding[] {
  return tree
    .filter(({ path }) => isTypeScript(path) && !isTest(path) && !ALLOWED.test(path))
    .flatMap((file) =>
      [...nodesOf(file)].filter(isProcessEnv).map((node) => ({
        path: file.path,
        line: lineAt(file, node.getStart()),
        message: "reads process.env: only apps' and tools' src/main.ts and src/config.ts may",
      })),
    );
}

const isProcessEnv = (node: ts.Node): boolean =>
  ts.isPropertyAccessExpression(node) &&
  node.name.text === 'env' &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'process';
