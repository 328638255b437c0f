export { MESSENGER_CODES } from './codes.js';
export { createMessengerProvider } from './messenger-provider.js';
