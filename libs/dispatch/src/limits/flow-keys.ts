import type { LimitedSend } from './account-limits.js';
import type { Flow } from './skipped-flows.js';

const RECIPIENT = 'recipient ';
const BRAND = 'brand ';

/** Key of what waits for a brand's limit; it is shown to operators. */
export const brandKey = ({ brand }: LimitedSend): string => BRAND + brand;

/** Key of what waits for a recipient's limit: one flow for each of its brands. Not shown. */
export const recipientKey = ({ brand, recipient }: LimitedSend): string =>
  `${RECIPIENT}${brand} ${recipient}`;

/** What waits for which limits, in a plain sentence. */
export function saysOf(flows: Iterable<Flow<unknown>>, isFull: boolean): string {
  const parts: string[] = [];
  let [recipients, held] = [0, 0];
  for (const { key, waiting } of flows) {
    if (key.startsWith(BRAND)) parts.push(`${waiting.length} for the limit of ${key}`);
    else {
      recipients++;
      held += waiting.length;
    }
  }
  if (recipients > 0)
    parts.push(`${held} for the limit of ${recipients} ${recipients === 1 ? 'recipient' : 'recipients'}`);
  const others = isFull ? 'no more can be put aside: the lane waits for them' : 'others go past them';
  return `messages wait: ${parts.join(', ')}; ${others}`;
}
