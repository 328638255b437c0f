'use strict';
// `npm test`: every step in order, also after a failed one; the last line is the verdict.
// `npm test -- unit lint` runs only the named steps.
const fs = require('node:fs');
const path = require('node:path');
const { STEPS, ROOT, OUT, ENV } = require('./steps.cjs');
const { runStep } = require('./run-step.cjs');
const { tallyOfExit, tallyOfJest, sum, verdict, failuresOf, skippedOf } = require('./tally.cjs');

let stopCurrent = () => {};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    stopCurrent();
    process.exit(130);
  });
}

function readResults(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined; // the run broke off before it wrote them
  }
}

const indent = (text) => text.replace(/^/gm, '      ');

function explain({ step, tail, results, log }) {
  const failures = results ? failuresOf(results) : [];
  for (const text of failures.length > 0 ? failures : [tail.join('\n')]) console.log(`${indent(text)}\n`);
  console.log(`    the whole output of ${step.name}: ${path.relative(ROOT, log)}`);
}

async function runOne(step) {
  const started = performance.now();
  const log = path.join(OUT, `${step.name}.log`);
  console.log(`--> ${step.name}`);
  if (step.results) fs.rmSync(step.results, { force: true });
  const { code, tail } = await runStep({
    ...step,
    env: ENV,
    cwd: ROOT,
    log,
    onStart: (stop) => (stopCurrent = stop),
  });
  const results = step.results ? readResults(step.results) : undefined;
  const tally = step.results ? tallyOfJest(results, code) : tallyOfExit(code);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  for (const name of results ? skippedOf(results) : []) console.log(`    skipped: ${name}`);
  if (tally.failed > 0) explain({ step, tail, results, log });
  console.log(`${tally.failed > 0 ? 'FAIL' : 'ok  '} ${step.name}: ${verdict(tally)} (${seconds} s)`);
  return tally;
}

async function main(names) {
  const unknown = names.filter((name) => !STEPS.some((step) => step.name === name));
  if (unknown.length > 0) {
    console.error(`No such step: ${unknown.join(', ')}. There are ${STEPS.map((s) => s.name).join(', ')}.`);
    return 2;
  }
  fs.mkdirSync(OUT, { recursive: true });
  const tallies = [];
  for (const step of STEPS.filter((s) => names.length === 0 || names.includes(s.name))) {
    tallies.push(await runOne(step));
  }
  const total = sum(tallies);
  console.log(`\n${verdict(total)}`);
  return total.failed > 0 ? 1 : 0;
}

main(process.argv.slice(2)).then((code) => process.exit(code));
