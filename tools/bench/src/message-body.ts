import type { Channel, Priority } from '@commservice/contracts';

/** The development catalogue's category of each class. */
export const CATEGORY: Record<Priority, string> = { P1: 'otp', P2: 'order', P3: 'promo' };
export const API_KEY = 'live_demo_key_for_development_only';

const digits = (n: number, width: number): string => String(n % 10 ** width).padStart(width, '0');

function addressed(channel: Channel, n: number): { to: object; content: object } {
  const text = `Message ${n}`;
  switch (channel) {
    case 'sms':
      return { to: { phone: `+4477009${digits(n, 5)}` }, content: { text } };
    case 'push':
      return {
        to: { platform: 'fcm', token: `bench${digits(n, 40)}` },
        content: { title: 'Hello', body: text },
      };
    case 'email':
      return { to: { email: `bench${n}@example.test` }, content: { subject: 'Hello', text } };
    case 'messenger':
      return { to: { service: 'telegram', id: String(10_000_000 + n) }, content: { text } };
  }
}

/** A valid request of a channel and class; recipients differ for every `n` below 100 000. */
export function messageBody(
  channel: Channel,
  priority: Priority,
  n: number,
  more: { reference?: string; ttl?: string } = {},
): object {
  return { channel, brand: 'alfa', category: CATEGORY[priority], ...more, ...addressed(channel, n) };
}
