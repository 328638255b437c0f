module.exports = { ...require('../../jest.preset.cjs'), displayName: 'push-dispatcher', rootDir: __dirname };
