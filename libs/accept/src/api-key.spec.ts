import { createHash } from 'node:crypto';
import type { Catalogue, CatalogueKey } from '@commservice/contracts';
import { authenticate } from './api-key.js';

const keyOf = (id: string, secret: string): CatalogueKey => ({
  id,
  team: 'demo',
  kind: 'live',
  developmentOnly: false,
  sha256: createHash('sha256').update(secret).digest('hex'),
});
const catalogue = { keys: [keyOf('one', 'live_one'), keyOf('two', 'live_two')] } as unknown as Catalogue;

it('finds the key that is presented', () => {
  expect(authenticate('Bearer live_two', catalogue)?.id).toBe('two');
  expect(authenticate('bearer live_one', catalogue)?.id).toBe('one');
});

it.each([
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'Bearer live_wrong',
  'Basic live_one',
  'live_one',
  'Bearer live_one x',
  `Bearer ${'x'.repeat(600)}`,
])('knows nobody by %j', (header) => {
  expect(authenticate(header, catalogue)).toBeUndefined();
});
