import { z } from 'zod';
import type { Channel } from './channel.js';

/** Where a message goes and what it says, by channel: the parts that exist in clear only inside `sealed`. */
export const PUSH_PLATFORMS = ['fcm', 'apns', 'hms', 'rustore', 'webpush'] as const;
export const MESSENGER_SERVICES = ['telegram', 'whatsapp', 'viber', 'vk', 'max'] as const;

export type Address =
  | { readonly phone: string }
  | { readonly platform: (typeof PUSH_PLATFORMS)[number]; readonly token: string }
  | { readonly email: string; readonly name?: string }
  | { readonly service: (typeof MESSENGER_SERVICES)[number]; readonly id: string };

export type Content =
  | { readonly text: string }
  | { readonly title: string; readonly body: string; readonly data?: Readonly<Record<string, string>> }
  | { readonly subject: string; readonly text: string; readonly html?: string };

const phone = z.object({ phone: z.string() });
const push = z.object({ platform: z.enum(PUSH_PLATFORMS), token: z.string() });
const email = z.object({ email: z.string(), name: z.string().optional() });
const messenger = z.object({ service: z.enum(MESSENGER_SERVICES), id: z.string() });
const text = z.object({ text: z.string() });
const pushContent = z.object({
  title: z.string(),
  body: z.string(),
  data: z.record(z.string(), z.string()).optional(),
});
const emailContent = z.object({ subject: z.string(), text: z.string(), html: z.string().optional() });

const PAYLOAD = {
  sms: z.object({ to: phone, content: text }),
  push: z.object({ to: push, content: pushContent }),
  email: z.object({ to: email, content: emailContent }),
  messenger: z.object({ to: messenger, content: text }),
} as const;

/** What `sealed` holds. */
export interface Payload {
  readonly to: Address;
  readonly content: Content;
}

/** The text to seal for a payload. */
export const encodePayload = (payload: Payload): string => JSON.stringify(payload);

/** Reads an opened payload; undefined when it does not fit the channel. Never throws. */
export function decodePayload(channel: Channel, opened: string): Payload | undefined {
  try {
    const parsed = PAYLOAD[channel].safeParse(JSON.parse(opened));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
