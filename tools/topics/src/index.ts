export * from './catalogue-topics.js';
export * from './topics.js';
