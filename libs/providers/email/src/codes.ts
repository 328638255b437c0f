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

/** What the e-mail vendor's codes mean. */
export const EMAIL_CODES: CodeTable = {
  content_rejected: REJECTED_MESSAGE,
  message_too_large: REJECTED_MESSAGE,
  mailbox_not_found: REJECTED_RECIPIENT,
  domain_not_found: REJECTED_RECIPIENT,
  // the vendor's own list of bounces and complaints
  suppressed: REJECTED_RECIPIENT,
  mailbox_full: RETRYABLE,
  greylisted: RETRYABLE,
  domain_throttled: THROTTLED_RECIPIENT,
  sender_throttled: THROTTLED_SENDER,
  sender_domain_unverified: MISCONFIGURED_SENDER,
  account_suspended: MISCONFIGURED_ACCOUNT,
  quota_exhausted: MISCONFIGURED_ACCOUNT,
};
