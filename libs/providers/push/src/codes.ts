import {
  MISCONFIGURED_ACCOUNT,
  MISCONFIGURED_SENDER,
  REJECTED_MESSAGE,
  REJECTED_RECIPIENT,
  RETRYABLE,
  THROTTLED_RECIPIENT,
  type CodeTable,
} from '@commservice/provider-http';

/** What the push gateway's codes mean. */
export const PUSH_CODES: CodeTable = {
  payload_rejected: REJECTED_MESSAGE,
  payload_too_large: REJECTED_MESSAGE,
  // the app is gone from the device, or the token was never one of this app
  unregistered_token: REJECTED_RECIPIENT,
  invalid_token: REJECTED_RECIPIENT,
  token_of_other_app: REJECTED_RECIPIENT,
  // one device was sent too much; others are not concerned
  device_throttled: THROTTLED_RECIPIENT,
  platform_unavailable: RETRYABLE,
  platform_credentials_expired: MISCONFIGURED_SENDER,
  project_disabled: MISCONFIGURED_ACCOUNT,
};
