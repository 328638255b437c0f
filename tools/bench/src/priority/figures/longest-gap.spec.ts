import { longestGapMs } from './longest-gap.js';

describe('longestGapMs', () => {
  it('looks between events and at both edges', () => {
    expect(longestGapMs([120, 150, 190], 100, 200)).toBe(40);
    expect(longestGapMs([150, 160], 100, 200)).toBe(50);
    expect(longestGapMs([110, 120], 100, 200)).toBe(80);
  });

  it('is the whole time when nothing happened in it', () => {
    expect(longestGapMs([50, 250], 100, 200)).toBe(100);
  });
});
