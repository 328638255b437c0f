import type { Channel, Priority } from '@commservice/contracts';

/** The development catalogue's category of each class. */
export const CATEGORY: Record<Priority, string> = { P1: 'otp', P2: 'order', P3: 'promo' };

/** Every address and text of the journeys starts like this, so that the run can be searched for them. */
export const PLANTED = {
  phone: '+4477009',
  email: 'planted-person-',
  token: 'planted0token0',
  messenger: '773457734',
  text: 'Planted words number',
} as const;

const digits = (n: number, width: number): string => String(n % 10 ** width).padStart(width, '0');

/** A valid recipient and content of a channel; different for every `n` below 100 000. */
export function addressed(channel: Channel, n: number): { to: object; content: object } {
  const text = `${PLANTED.text} ${n}`;
  switch (channel) {
    case 'sms':
      return { to: { phone: `${PLANTED.phone}${digits(n, 5)}` }, content: { text } };
    case 'push':
      return {
        to: { platform: 'fcm', token: `${PLANTED.token}${digits(n, 30)}` },
        content: { title: 'Planted title', body: text },
      };
    case 'email':
      return {
        to: { email: `${PLANTED.email}${n}@example.test` },
        content: { subject: 'Planted subject', text },
      };
    case 'messenger':
      return { to: { service: 'telegram', id: `${PLANTED.messenger}${digits(n, 5)}` }, content: { text } };
  }
}

/** The body of one request. All messages of a journey share a reference, by which they are found again. */
export interface MessageBody {
  readonly channel: Channel;
  readonly brand: string;
  readonly category: string;
  readonly reference: string;
  readonly ttl?: string;
  readonly to: object;
  readonly content: object;
}

export function messageBody(reference: string, channel: Channel, priority: Priority, n: number): MessageBody {
  return { channel, brand: 'alfa', category: CATEGORY[priority], reference, ...addressed(channel, n) };
}
