import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readPriorityOptions } from '../priority-options.js';
import { catalogueText } from './mode-platform.js';

const development = readFileSync(path.join(__dirname, '../../../../stack/catalogue.yaml'), 'utf8');

describe('catalogueText', () => {
  const text = catalogueText(development, 'strict', readPriorityOptions(['--rate', '50']));

  it('sets the mode and the rate of the measured account alone', () => {
    expect(text).toContain('mutex: { default: strict }');
    expect(text.match(/ratePerSecond: \d+/g)?.slice(0, 3)).toEqual([
      'ratePerSecond: 50',
      'ratePerSecond: 50',
      'ratePerSecond: 1000',
    ]);
    expect(text).toContain('p1Failover: []');
  });

  it('refuses a catalogue in which there is nothing to set', () => {
    expect(() => catalogueText('version: 1', 'strict', readPriorityOptions([]))).toThrow(/has no/);
  });
});
