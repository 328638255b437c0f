import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findRabbit } from './rabbit-programs.js';

const folder = mkdtempSync(path.join(tmpdir(), 'rabbit-programs-'));
const file = (...parts: string[]): string => path.join(folder, ...parts);
const program = (...parts: string[]): void => writeFileSync(file(...parts), '#!/bin/sh', { mode: 0o755 });

beforeAll(() => {
  for (const name of ['plain', 'packaged', 'lib']) mkdirSync(file(name));
  program('plain', 'rabbitmq-server');
  program('plain', 'epmd');
  program('lib', 'rabbitmq-script-wrapper');
  program('lib', 'rabbitmq-server');
  program('packaged', 'epmd');
  symlinkSync(file('lib', 'rabbitmq-script-wrapper'), file('packaged', 'rabbitmq-server'));
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('findRabbit', () => {
  it('takes both programs from the PATH', () => {
    const found = findRabbit(`/nowhere:${file('plain')}`);
    expect(found).toEqual({ server: file('plain', 'rabbitmq-server'), epmd: file('plain', 'epmd') });
  });

  it("goes past a package's guard", () => {
    expect(findRabbit(file('packaged'))?.server).toBe(file('lib', 'rabbitmq-server'));
  });

  it('finds nothing where it is not installed', () => {
    expect(findRabbit('/nowhere')).toBeUndefined();
  });
});
