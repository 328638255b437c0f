'use strict';
// What the test run counts and says; pure.

/** A step that is one check: its exit code decides. */
const tallyOfExit = (code) => ({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 });

/** The counts of Jest's JSON results. A suite that could not run, or a bad exit without a failed test, is one failure. */
function tallyOfJest(results, code) {
  if (!results) return { passed: 0, failed: 1, skipped: 0 };
  const passed = results.numPassedTests;
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
  const skipped = results.numPendingTests + results.numTodoTests;
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed, skipped };
}

const sum = (tallies) =>
  tallies.reduce(
    (a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }),
    { passed: 0, failed: 0, skipped: 0 },
  );

/** The last line of the run. */
const verdict = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;

// eslint-disable-next-line no-control-regex -- colours are control characters
const plain = (text) => text.replace(/\u001b\[[0-9;]*m/g, '');

/** Without the frames of Jest itself. */
const firstLines = (text, count) =>
  plain(text)
    .split('\n')
    .filter((line) => !/^\s+at .*node_modules/.test(line))
    .slice(0, count)
    .join('\n');

/** The failures of Jest's results as text: which test, and the beginning of its message. */
function failuresOf(results) {
  return results.testResults.flatMap((suite) => {
    const tests = suite.assertionResults.filter((test) => test.status === 'failed');
    if (suite.status === 'failed' && tests.length === 0)
      return [`${suite.name}\n${firstLines(suite.message, 25)}`];
    return tests.map(
      (test) => `${suite.name}\n${test.fullName}\n${firstLines(test.failureMessages.join('\n'), 25)}`,
    );
  });
}

/** Names of the tests that did not run. */
function skippedOf(results) {
  const tests = results.testResults.flatMap((suite) => suite.assertionResults);
  return tests
    .filter((test) => ['pending', 'skipped', 'todo'].includes(test.status))
    .map((test) => test.fullName);
}

module.exports = { tallyOfExit, tallyOfJest, sum, verdict, failuresOf, skippedOf, plain };
