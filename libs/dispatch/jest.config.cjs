module.exports = { ...require('../../jest.preset.cjs'), displayName: 'dispatch', rootDir: __dirname };
