module.exports = {
  ...require('../../../jest.preset.cjs'),
  displayName: 'provider-email',
  rootDir: __dirname,
};
