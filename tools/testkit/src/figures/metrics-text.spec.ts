import { counterOf, samplesOf } from './metrics-text.js';

const TEXT = `# TYPE calls_total counter
calls_total{scope="a",result="granted"} 3
calls_total{scope="a",result="error"} 1 1790000000000
calls_total{scope="b",result="granted"} 5
calls_total_more{scope="a"} 7
up 1
`;

describe('the text of metrics', () => {
  it('gives every line of one metric, with or without labels', () => {
    expect(samplesOf(TEXT, 'calls_total').map((s) => s.value)).toEqual([3, 1, 5]);
    expect(samplesOf(TEXT, 'up')).toEqual([{ labels: '', value: 1 }]);
  });

  it('sums the lines that hold all labels asked for', () => {
    expect(counterOf(TEXT, 'calls_total', 'scope="a"')).toBe(4);
    expect(counterOf(TEXT, 'calls_total', 'scope="a"', 'result="granted"')).toBe(3);
    expect(counterOf(TEXT, 'none')).toBe(0);
  });
});
