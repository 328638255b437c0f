module.exports = { ...require('../../jest.preset.cjs'), displayName: 'batch-safety', rootDir: __dirname };
