'use strict';
// What a proof says at its end; pure.

/** The rows of one journey: its figures, and one more when it failed without a figure that says why. */
function rowsOf(name, figures, passed) {
  const explained = figures.some((f) => !f.holds);
  if (passed || explained) return figures;
  return [...figures, { line: name, what: 'the journey', figure: 'failed', must: 'pass', holds: false }];
}

const cell = (text) => String(text).replace(/\|/g, '\\|');
const verdict = ({ must, holds }) => (must === '' ? '' : holds ? 'yes' : '**no**');

/** A Markdown table: line, figure, must, holds. */
function table(rows) {
  const lines = rows.map(
    (r) => `| ${[r.line, r.what, r.figure, r.must, verdict(r)].map(cell).join(' | ')} |`,
  );
  return ['| line | what | figure | must be | holds |', '| --- | --- | --- | --- | --- |', ...lines, ''].join(
    '\n',
  );
}

module.exports = { rowsOf, table };
