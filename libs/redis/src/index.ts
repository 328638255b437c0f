export * from './answer.js';
export * from './connection.js';
export * from './edge-bus.js';
export * from './options.js';
export * from './script.js';
