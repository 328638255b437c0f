import type { PUSH_PLATFORMS } from '@commservice/contracts';
import type { FaultCode } from './faults.js';

type Platform = (typeof PUSH_PLATFORMS)[number];

/** Opaque tokens: what the vendors have been seen to issue, bounded. */
const OPAQUE = /^[A-Za-z0-9_:.=-]{16,4096}$/;
const APNS = /^(?:[0-9A-Fa-f]{2}){32,100}$/;
/** The services that browsers register with; anything else would be a request to a host of the caller's choice. */
const WEBPUSH_HOSTS =
  /^(?:fcm\.googleapis\.com|(?:[a-z0-9-]+\.)*push\.apple\.com|(?:[a-z0-9-]+\.)*push\.services\.mozilla\.com|(?:[a-z0-9-]+\.)*notify\.windows\.com)$/;

function isWebPushEndpoint(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    url.protocol === 'https:' &&
    url.port === '' &&
    url.username === '' &&
    url.password === '' &&
    WEBPUSH_HOSTS.test(url.hostname) &&
    // eslint-disable-next-line no-control-regex -- the rule is about control characters
    !/[\u0000-\u0020\u007f]/.test(text)
  );
}

/** The fault of a push token, or undefined when it has the form of its platform. */
export function pushTokenFault(platform: Platform, token: string): FaultCode | undefined {
  if (platform === 'webpush') return isWebPushEndpoint(token) ? undefined : 'webpush_endpoint_invalid';
  const form = platform === 'apns' ? APNS : OPAQUE;
  return form.test(token) ? undefined : 'push_token_invalid';
}
