import type { Message } from '@commservice/contracts';

const MAX_REMEMBERED = 50_000;

/**
 * The last 50 000 messages this pod sent, so that their receipts carry all fields of the message's row. Content is not
 * among them. A receipt of an older one, or of another pod's, goes on with its id alone.
 */
export class SentIndex {
  private readonly messages = new Map<string, { message: Message; generation: number }>();

  constructor(private readonly max = MAX_REMEMBERED) {}

  remember(message: Message, generation: number): void {
    this.messages.delete(message.id);
    this.messages.set(message.id, { message, generation });
    if (this.messages.size <= this.max) return;
    const oldest = this.messages.keys().next();
    if (!oldest.done) this.messages.delete(oldest.value);
  }

  of(id: string): { message: Message; generation: number } | undefined {
    return this.messages.get(id);
  }
}
