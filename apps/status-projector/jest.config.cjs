module.exports = { ...require('../../jest.preset.cjs'), displayName: 'status-projector', rootDir: __dirname };
