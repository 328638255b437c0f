module.exports = { ...require('../../jest.preset.cjs'), displayName: 'testkit', rootDir: __dirname };
