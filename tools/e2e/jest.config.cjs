// Unit tests of the project itself; the journeys have a configuration of their own: jest.e2e.config.cjs.
module.exports = { ...require('../../jest.preset.cjs'), displayName: 'e2e', rootDir: __dirname };
