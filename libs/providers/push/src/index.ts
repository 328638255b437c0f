export { PUSH_CODES } from './codes.js';
export { createPushProvider } from './push-provider.js';
