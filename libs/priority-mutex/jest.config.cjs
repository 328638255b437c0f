module.exports = { ...require('../../jest.preset.cjs'), displayName: 'priority-mutex', rootDir: __dirname };
