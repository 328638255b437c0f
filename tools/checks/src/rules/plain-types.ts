import ts from 'typescript';
import type { Finding } from '../finding.js';
import { lineAt, nodesOf } from '../syntax.js';
import { isTypeScript, type TextFile } from '../tree.js';

/** No `any`, no enum, no `I` before a name, no default export (tools ask for one in their configuration files). */
export function plainTypes(tree: readonly TextFile[]): Finding[] {
  return tree
    .filter(({ path }) => isTypeScript(path))
    .flatMap((file) =>
      [...nodesOf(file)].flatMap((node) => {
        const message = faultOf(node, file.path);
        return message === undefined
          ? []
          : [{ path: file.path, line: lineAt(file, node.getStart()), message }];
      }),
    );
}

function faultOf(node: ts.Node, path: string): string | undefined {
  if (node.kind === ts.SyntaxKind.AnyKeyword) return 'uses any: say what it is, or unknown';
  if (ts.isEnumDeclaration(node)) return 'declares an enum: use a const object and a union';
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) {
    return /^I[A-Z]/.test(node.name.text)
      ? `puts an I before the name ${node.name.text.slice(1)}`
      : undefined;
  }
  return isDefaultExport(node) && !/\.config\.ts$/.test(path)
    ? 'has a default export: export a name'
    : undefined;
}

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return !node.isExportEquals;
  const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined;
  return modifiers?.some((m) => m.kind === ts.SyntaxKind.DefaultKeyword) ?? false;
}
