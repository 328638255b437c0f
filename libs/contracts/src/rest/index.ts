export * from './message-request.js';
export * from './message-response.js';
export * from './problem.js';
export * from './recipient.js';
