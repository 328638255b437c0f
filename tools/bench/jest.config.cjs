module.exports = { ...require('../../jest.preset.cjs'), displayName: 'tools-bench', rootDir: __dirname };
