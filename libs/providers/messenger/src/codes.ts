import {
  MISCONFIGURED_ACCOUNT,
  REJECTED_MESSAGE,
  REJECTED_RECIPIENT,
  RETRYABLE,
  THROTTLED_RECIPIENT,
  type CodeTable,
} from '@commservice/provider-http';

/** What the messenger gateway's codes mean. */
export const MESSENGER_CODES: CodeTable = {
  content_rejected: REJECTED_MESSAGE,
  text_too_long: REJECTED_MESSAGE,
  // the service wants a template approved before, or an open conversation
  template_required: REJECTED_MESSAGE,
  chat_not_found: REJECTED_RECIPIENT,
  user_blocked_bot: REJECTED_RECIPIENT,
  user_not_on_service: REJECTED_RECIPIENT,
  chat_throttled: THROTTLED_RECIPIENT,
  service_unavailable: RETRYABLE,
  bot_revoked: MISCONFIGURED_ACCOUNT,
};
