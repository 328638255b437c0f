module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'provider-push', rootDir: __dirname };
