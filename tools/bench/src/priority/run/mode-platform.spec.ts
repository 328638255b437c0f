import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readPriorityOptions } from '../priority-options.js';
import { catalogueText, lanesOf } from './mode-platform.js';

const development = readFileSync(path.join(__dirname, '../../../../stack/catalogue.yaml'), 'utf8');

describe('catalogueText', () => {
  const text = catalogueText(development, 'strict', readPriorityOptions(['--rate', '50']));

  it('sets the mode and the rate of the measured account alone', () => {
    expect(text).toContain('mutex: { default: strict }');
    const accounts = [...text.matchAll(/^ {6}ratePerSecond: (\d+)/gm)].map(([, rate]) => rate);
    expect(accounts.slice(0, 3)).toEqual(['50', '50', '1000']);
    expect(text).toContain('p1Failover: []');
  });

  it('refuses a catalogue in which there is nothing to set', () => {
    expect(() => catalogueText('version: 1', 'strict', readPriorityOptions([]))).toThrow(/has no/);
  });
});

describe('lanesOf', () => {
  it('lets every pod run all lanes unless P1 has pods of its own: then half of them', () => {
    expect(lanesOf({ pods: 2, layout: 'one' })).toEqual({});
    const lanes = Object.values(lanesOf({ pods: 4, layout: 'own' })).map((env) => env?.LANES);
    expect(lanes).toEqual(['sms:P1', 'sms:P1', 'sms:P2,sms:P3', 'sms:P2,sms:P3']);
  });
});
