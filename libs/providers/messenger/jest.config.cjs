module.exports = {
  ...require('../../../jest.preset.cjs'),
  displayName: 'provider-messenger',
  rootDir: __dirname,
};
