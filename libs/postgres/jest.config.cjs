module.exports = { ...require('../../jest.preset.cjs'), displayName: 'postgres', rootDir: __dirname };
