interface Row {
  line: string;
  what: string;
  figure: string;
  must: string;
  holds: boolean;
}
interface TableModule {
  rowsOf(name: string, figures: Row[], passed: boolean): Row[];
  table(rows: Row[]): string;
}
const { rowsOf, table } = jest.requireActual<TableModule>('../proof/table.cjs');

const figure = (holds: boolean, must = '≤ 1'): Row => ({
  line: 'a',
  what: 'p99, ms',
  figure: '2',
  must,
  holds,
});

describe('rowsOf', () => {
  it('adds a row for a journey that failed without a figure that says why', () => {
    expect(rowsOf('a', [figure(true)], false)).toHaveLength(2);
    expect(rowsOf('a', [figure(false)], false)).toHaveLength(1);
    expect(rowsOf('a', [], true)).toEqual([]);
  });
});

describe('table', () => {
  it('says of each figure with a bound whether it holds', () => {
    const lines = table([figure(true), figure(false), figure(true, '')])
      .split('\n')
      .slice(2, 5);
    expect(lines).toEqual([
      '| a | p99, ms | 2 | ≤ 1 | yes |',
      '| a | p99, ms | 2 | ≤ 1 | **no** |',
      '| a | p99, ms | 2 |  |  |',
    ]);
  });
});
