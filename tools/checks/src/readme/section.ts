/** The lines between `<!-- name:start -->` and `<!-- name:end -->`, or undefined when the markers are not there. */
export function sectionOf(readme: string, name: string): string | undefined {
  return pattern(name).exec(readme)?.[2];
}

/** The text with that section replaced. Throws when the markers are missing: it cannot know where to write. */
export function withSection(readme: string, name: string, content: string): string {
  if (!pattern(name).test(readme))
    throw new Error(`README.md has no markers <!-- ${name}:start --> and :end`);
  return readme.replace(
    pattern(name),
    (_all, start: string, _old, end: string) => `${start}${content}${end}`,
  );
}

const pattern = (name: string): RegExp =>
  new RegExp(`(<!-- ${name}:start -->\\n)([\\s\\S]*?)(<!-- ${name}:end -->)`);

/** A Markdown table as prettier would write it. */
export function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, i) => Math.max(3, ...[head, ...body].map((row) => (row[i] ?? '').length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return [line(head), `| ${widths.map((w) => '-'.repeat(w)).join(' | ')} |`, ...body.map(line)].join('\n');
}
