export { MAX_ANSWER_BYTES } from './exchange.js';
export { WIRE_CODES, type WireCode } from './answer.js';
export {
  MISCONFIGURED_ACCOUNT,
  MISCONFIGURED_SENDER,
  REJECTED_MESSAGE,
  REJECTED_RECIPIENT,
  RETRYABLE,
  THROTTLED_RECIPIENT,
  THROTTLED_SENDER,
  type CodeMeaning,
  type CodeTable,
} from './code-table.js';
export {
  HttpProvider,
  type ChannelProfile,
  type HttpProviderOptions,
  type Rendered,
} from './http-provider.js';
export { parseReceipts } from './receipts.js';
export { MAX_RETRY_AFTER_MS } from './retry-after.js';
