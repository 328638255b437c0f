import ts from 'typescript';
import type { Finding } from '../finding.js';
import { lineAt, nodesOf } from '../syntax.js';
import { isTest, isTypeScript, type TextFile } from '../tree.js';

/** More lines than `warn` are listed, more than `fail` fail. */
interface Limit {
  readonly warn: number;
  readonly fail: number;
}
const FILE: Limit = { warn: 200, fail: 300 };
const TEST_FILE: Limit = { warn: 300, fail: 400 };
const FUNCTION: Limit = { warn: 40, fail: 60 };

/** A file or function over a limit. */
export interface Oversize extends Finding {
  readonly lines: number;
  readonly fails: boolean;
}

const MEASURED = /\.(ts|cjs|mjs|lua)$/;

/** Physical lines a file. */
export function fileSizes(tree: readonly TextFile[]): Oversize[] {
  return tree
    .filter(({ path }) => MEASURED.test(path))
    .flatMap((file) => {
      const limit = isTest(file.path) ? TEST_FILE : FILE;
      const lines = file.text.replace(/\n$/, '').split('\n').length;
      return over(limit, lines, { path: file.path, message: `has ${lines} lines; at most ${limit.fail}` });
    });
}

/**
 * Lines a function, from brace to brace; a closure also counts inside its parent. Tests, and functions that declare some
 * (contract suites), are left out: they are lists.
 */
export function functionSizes(tree: readonly TextFile[]): Oversize[] {
  return tree
    .filter(({ path }) => (isTypeScript(path) || path.endsWith('.cjs')) && !isTest(path))
    .flatMap((file) => [...nodesOf(file)].flatMap((node) => functionSize(file, node)));
}

function functionSize(file: TextFile, node: ts.Node): Oversize[] {
  if (!ts.isFunctionLike(node)) return [];
  const { body } = node as ts.FunctionLikeDeclaration;
  if (!body || !ts.isBlock(body) || declaresTests(body)) return [];
  const line = lineAt(file, body.getStart());
  const lines = lineAt(file, body.getEnd()) - line + 1;
  const name = node.name?.getText() ?? 'a function';
  const message = `${name} has ${lines} lines; at most ${FUNCTION.fail}`;
  return over(FUNCTION, lines, { path: file.path, line, message });
}

function over(limit: Limit, lines: number, finding: Finding): Oversize[] {
  return lines > limit.warn ? [{ ...finding, lines, fails: lines > limit.fail }] : [];
}

const declaresTests = (body: ts.Block): boolean =>
  body.statements.some(
    (s) =>
      ts.isExpressionStatement(s) &&
      ts.isCallExpression(s.expression) &&
      /^(describe|it|test)(\.each)?$/.test(s.expression.expression.getText()),
  );
