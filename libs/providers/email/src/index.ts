export { EMAIL_CODES } from './codes.js';
export { createEmailProvider } from './email-provider.js';
