module.exports = { ...require('../../jest.preset.cjs'), displayName: 'sms-dispatcher', rootDir: __dirname };
