module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'provider-sms', rootDir: __dirname };
