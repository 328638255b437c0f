'use strict';
// `npm run proof`: the journeys of faults and lines at full scale and length, one after the other, each on a platform of its
// own; ends with a table. `npm run proof -- preemption pod-` runs those whose file name fits. What is kept of a run, its
// figures and logs, is in `.stack/proof/<time>/`.
const fs = require('node:fs');
const path = require('node:path');
const { ROOT, ENV } = require('../test-all/steps.cjs');
const { runStep } = require('../test-all/run-step.cjs');
const { rowsOf, table } = require('./table.cjs');

const E2E = path.join(ROOT, 'tools', 'e2e');
const FOLDERS = ['lines', 'faults'];
const LONGEST_MS = 75 * 60_000;
const JEST = path.join(ROOT, 'node_modules', '.bin', 'jest');
const NODE = path.join(ROOT, 'node_modules', '.bin', 'node');

let stopCurrent = () => {};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    stopCurrent();
    process.exit(130);
  });
}

function journeys(wanted) {
  const all = FOLDERS.flatMap((folder) => {
    const names = fs.readdirSync(path.join(E2E, 'src', folder)).filter((name) => name.endsWith('.e2e.ts'));
    return names.sort().map((name) => path.join('src', folder, name));
  });
  const fits = (file) => wanted.length === 0 || wanted.some((w) => path.basename(file).includes(w));
  return all.filter(fits);
}

function figuresOf(dir) {
  const file = path.join(dir, 'figures.ndjson');
  if (!fs.existsSync(file)) return [];
  return fs.readFileSync(file, 'utf8').split('\n').filter(Boolean).map(JSON.parse);
}

async function runOne(file, out) {
  const name = path.basename(file, '.e2e.ts');
  const dir = path.join(out, name);
  fs.mkdirSync(dir, { recursive: true });
  const started = performance.now();
  console.log(`--> ${name}`);
  const { code } = await runStep({
    command: NODE,
    args: [JEST, '-c', path.join(E2E, 'jest.e2e.config.cjs'), '-i', '--runTestsByPath', path.join(E2E, file)],
    env: { ...ENV, E2E_SHORT: '', PROOF: '1', PROOF_DIR: dir },
    cwd: ROOT,
    log: path.join(dir, 'journey.log'),
    live: /FALLS SHORT|✓|✕/,
    deadlineMs: LONGEST_MS,
    onStart: (stop) => (stopCurrent = stop),
  });
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${minutes} min)`);
  return rowsOf(name, figuresOf(dir), code === 0);
}

async function main(wanted) {
  const files = journeys(wanted);
  if (files.length === 0) {
    console.error(`No journey of lines or faults fits ${wanted.join(' ')}.`);
    return 2;
  }
  const out = path.join(ROOT, '.stack', 'proof', new Date().toISOString().slice(0, 19).replace(/:/g, '-'));
  fs.mkdirSync(out, { recursive: true });
  const rows = [];
  for (const file of files) rows.push(...(await runOne(file, out)));
  const text = table(rows);
  fs.writeFileSync(path.join(out, 'table.md'), text);
  const short = rows.filter((row) => !row.holds).length;
  console.log(`\n${text}\nKept in ${path.relative(ROOT, out)}.`);
  console.log(short === 0 ? 'All hold.' : `${short} fall short.`);
  return short === 0 ? 0 : 1;
}

main(process.argv.slice(2)).then((code) => process.exit(code));
