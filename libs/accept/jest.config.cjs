module.exports = { ...require('../../jest.preset.cjs'), displayName: 'accept', rootDir: __dirname };
