import { tags } from './tags.js';

const messages = (folder: string, found: string[]) => tags([{ folder, tags: found }]).map((f) => f.message);

describe('tags', () => {
  it('takes the two tags of the table in any order', () => {
    expect(messages('libs/kafka', ['scope:shared', 'type:adapter'])).toEqual([]);
  });

  it.each([
    ['a misspelt scope', ['type:adapter', 'scope:shraed']],
    ['a wrong type', ['type:platform', 'scope:shared']],
    ['a third tag', ['type:adapter', 'scope:shared', 'scope:sms']],
    ['a tag twice in place of the other', ['type:adapter', 'type:adapter']],
    ['no tags', []],
  ])('refuses %s', (_what, found) => {
    expect(messages('libs/kafka', found)).toEqual([
      'must carry exactly the tags type:adapter and scope:shared',
    ]);
  });

  it('refuses a project that is not in the table', () => {
    expect(messages('libs/stuff', ['type:adapter', 'scope:shared'])).toHaveLength(1);
  });
});
