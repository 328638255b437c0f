import { createRequire } from 'node:module';
import fc from 'fast-check';
import { murmur2, partitionOf } from './partition.js';

const reference = createRequire(__filename)('kafkajs/src/producer/partitioners/default/murmur2') as (
  key: Buffer,
) => number;

describe('partitionOf', () => {
  it('hashes as the Java client does, for keys of any length', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const key = Buffer.from(bytes);
        expect(murmur2(key)).toBe(reference(key));
      }),
      { numRuns: 500 },
    );
  });

  it('knows the published values of the Java client', () => {
    // from Kafka's UtilsTest
    expect(murmur2(Buffer.from('21'))).toBe(-973932308);
    expect(murmur2(Buffer.from('foobar'))).toBe(-790332482);
    expect(murmur2(Buffer.from('a-little-bit-long-string'))).toBe(-985981536);
  });

  it('gives a partition that exists', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.integer({ min: 1, max: 48 }), (bytes, partitions) => {
        const partition = partitionOf(Buffer.from(bytes), partitions);
        expect(partition >= 0 && partition < partitions).toBe(true);
      }),
    );
  });
});
