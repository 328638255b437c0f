import {
  MISCONFIGURED_ACCOUNT,
  MISCONFIGURED_SENDER,
  REJECTED_MESSAGE,
  REJECTED_RECIPIENT,
  RETRYABLE,
  THROTTLED_RECIPIENT,
  THROTTLED_SENDER,
  type CodeTable,
} from '@commservice/provider-http';

/** What the SMS vendor's codes mean. */
export const SMS_CODES: CodeTable = {
  // the text or its validity
  content_blocked: REJECTED_MESSAGE,
  empty_text: REJECTED_MESSAGE,
  too_many_parts: REJECTED_MESSAGE,
  validity_passed: REJECTED_MESSAGE,
  // the number
  invalid_number: REJECTED_RECIPIENT,
  unknown_subscriber: REJECTED_RECIPIENT,
  landline: REJECTED_RECIPIENT,
  barred: REJECTED_RECIPIENT,
  blacklisted: REJECTED_RECIPIENT,
  // the operator's queue was full: nothing was taken
  operator_busy: RETRYABLE,
  number_throttled: THROTTLED_RECIPIENT,
  sender_throttled: THROTTLED_SENDER,
  sender_not_registered: MISCONFIGURED_SENDER,
  insufficient_balance: MISCONFIGURED_ACCOUNT,
  account_suspended: MISCONFIGURED_ACCOUNT,
};
