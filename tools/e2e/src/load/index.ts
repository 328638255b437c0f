export * from './backlog.js';
export * from './delays.js';
export * from './load.js';
export * from './longest-gap.js';
export * from './now.js';
export * from './rate.js';
export * from './drained.js';
export * from './accepted-at.js';
