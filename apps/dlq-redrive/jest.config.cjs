module.exports = { ...require('../../jest.preset.cjs'), displayName: 'dlq-redrive', rootDir: __dirname };
