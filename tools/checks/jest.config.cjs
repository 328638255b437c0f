module.exports = { ...require('../../jest.preset.cjs'), displayName: 'tools-checks', rootDir: __dirname };
