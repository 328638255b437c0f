interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}
interface TallyModule {
  tallyOfExit(code: number): Tally;
  tallyOfJest(results: unknown, code: number): Tally;
  sum(tallies: Tally[]): Tally;
  verdict(tally: Tally): string;
  failuresOf(results: unknown): string[];
  skippedOf(results: unknown): string[];
}
const tally = jest.requireActual<TallyModule>('../test-all/tally.cjs');

const results = (numbers: Partial<Record<string, number>>) => ({
  ...{
    numPassedTests: 5,
    numFailedTests: 0,
    numRuntimeErrorTestSuites: 0,
    numPendingTests: 0,
    numTodoTests: 0,
  },
  ...numbers,
});

describe('the tally of npm test', () => {
  it('counts a lint, type or format step as one', () => {
    expect([tally.tallyOfExit(0), tally.tallyOfExit(1)].map((t) => [t.passed, t.failed])).toEqual([[1, 0], [0, 1]]); // prettier-ignore
  });

  it('counts tests one by one, and suites that could not run as failed', () => {
    const counted = tally.tallyOfJest(
      results({ numFailedTests: 2, numRuntimeErrorTestSuites: 1, numPendingTests: 3, numTodoTests: 1 }),
      1,
    );
    expect(counted).toEqual({ passed: 5, failed: 3, skipped: 4 });
  });

  it('does not call a run good that ended badly or left no results', () => {
    expect(tally.tallyOfJest(results({}), 1).failed).toBe(1);
    expect(tally.tallyOfJest(undefined, 0).failed).toBe(1);
    expect(tally.tallyOfJest(results({}), 0).failed).toBe(0);
  });

  it('ends with one plain line', () => {
    const total = tally.sum([{ passed: 1, failed: 0, skipped: 2 }, { passed: 10, failed: 1, skipped: 0 }]); // prettier-ignore
    expect(tally.verdict(total)).toBe('11 passed, 1 failed, 2 skipped');
  });

  it('tells which tests failed and why, without colours, and which were skipped', () => {
    const test = (status: string, ...failureMessages: string[]) => ({
      status,
      fullName: `is ${status}`,
      failureMessages,
    });
    const suites = [
      {
        name: 'a.spec.ts',
        status: 'failed',
        message: '',
        assertionResults: [test('failed', '\u001b[31mwhy\u001b[0m'), test('pending')],
      },
      { name: 'b.spec.ts', status: 'failed', message: 'cannot be read', assertionResults: [] },
    ];
    expect(tally.failuresOf({ testResults: suites })).toEqual([
      'a.spec.ts\nis failed\nwhy',
      'b.spec.ts\ncannot be read',
    ]);
    expect(tally.skippedOf({ testResults: suites })).toEqual(['is pending']);
  });
});
