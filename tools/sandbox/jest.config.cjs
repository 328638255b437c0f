module.exports = { ...require('../../jest.preset.cjs'), displayName: 'tools-sandbox', rootDir: __dirname };
