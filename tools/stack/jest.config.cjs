module.exports = { ...require('../../jest.preset.cjs'), displayName: 'tools-stack', rootDir: __dirname };
