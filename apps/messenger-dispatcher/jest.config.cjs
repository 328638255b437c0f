module.exports = {
  ...require('../../jest.preset.cjs'),
  displayName: 'messenger-dispatcher',
  rootDir: __dirname,
};
