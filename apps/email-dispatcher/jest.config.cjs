module.exports = { ...require('../../jest.preset.cjs'), displayName: 'email-dispatcher', rootDir: __dirname };
