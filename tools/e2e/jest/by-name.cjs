'use strict';
const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

// By name, and the search for planted values last: it reads what all the others left behind.
const rank = (test) => (test.path.endsWith('privacy.e2e.ts') ? 1 : 0);
module.exports = class extends Sequencer {
  sort(tests) {
    return [...tests].sort(
      (a, b) => rank(a) - rank(b) || path.basename(a.path).localeCompare(path.basename(b.path)),
    );
  }
};
