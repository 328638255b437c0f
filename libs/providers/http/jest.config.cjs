module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'provider-http', rootDir: __dirname };
