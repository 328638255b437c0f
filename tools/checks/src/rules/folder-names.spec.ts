import { folderNames } from './folder-names.js';

describe('folderNames', () => {
  it('finds a forbidden name at any depth, once', () => {
    const tree = [{ path: 'libs/kafka/src/utils/a.ts' }, { path: 'libs/kafka/src/utils/b/c.ts' }];
    expect(folderNames(tree).map((f) => f.path)).toEqual(['libs/kafka/src/utils']);
  });

  it('lets a file or a longer name have such a word', () => {
    expect(folderNames([{ path: 'libs/core-values/shared.ts' }])).toEqual([]);
  });
});
