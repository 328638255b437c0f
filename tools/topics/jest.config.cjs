module.exports = { ...require('../../jest.preset.cjs'), displayName: 'tools-topics', rootDir: __dirname };
