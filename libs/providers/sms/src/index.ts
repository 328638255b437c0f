export { SMS_CODES } from './codes.js';
export { createSmsProvider } from './sms-provider.js';
