import type { PlatformPorts } from '../ports.js';
import type { AppName } from '../platform/app-names.js';

const KEY = 'live_demo_key_for_development_only';

/** One message per channel, as the API takes it (design §4.5). */
const EXAMPLES = [
  [
    'A one-time code by sms (P1)',
    {
      channel: 'sms',
      brand: 'alfa',
      category: 'otp',
      to: { phone: '+447700900123' },
      content: { text: 'Code 481516' },
    },
  ],
  [
    'An order notice by push (P2)',
    {
      channel: 'push',
      brand: 'beta',
      category: 'order',
      to: { platform: 'fcm', token: 'demo-token-0123456789' },
      content: { title: 'Your order', body: 'It is on its way.' },
    },
  ],
  [
    'A receipt by email (P2)',
    {
      channel: 'email',
      brand: 'alfa',
      category: 'order',
      to: { email: 'ann@example.com' },
      content: { subject: 'Your receipt', text: 'Thank you for your order.' },
    },
  ],
  [
    'An offer by messenger (P3)',
    {
      channel: 'messenger',
      brand: 'beta',
      category: 'promo',
      to: { service: 'telegram', id: '100200300' },
      content: { text: 'Ten per cent off today.' },
    },
  ],
] as const;

function curl(api: string, message: object): string {
  return [
    `curl -s ${api}/v1/messages`,
    `-H 'Authorization: Bearer ${KEY}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(message)}'`,
  ].join(' ');
}

/** What `npm start` prints when all is ready: where everything is, and one command per channel to paste. */
export function welcome(
  ports: PlatformPorts,
  options: { sandbox: boolean; apps: readonly AppName[] },
): string {
  const url = (port: number): string => `http://127.0.0.1:${port}`;
  const api = url(ports['ingest-api']);
  const sandboxLine = options.sandbox
    ? url(ports.sandbox)
    : `${url(ports.sandbox)}  (not started: --no-sandbox)`;
  const places: [string, string][] = [
    ['API', `${api}/v1/messages`],
    ['API pages', `${api}/docs`],
    ['Phones (sandbox)', sandboxLine],
    ['Redrive', `${url(ports['dlq-redrive'])}/v1/dead-letters`],
    ...options.apps.map((name): [string, string] => [
      `Health of ${name}`,
      `${url(ports[name])}/health/ready`,
    ]),
  ];
  const examples = EXAMPLES.map(([title, message]) => `# ${title}\n${curl(api, message)}`);
  return [
    '',
    'The platform is ready.',
    '',
    ...places.map(([name, where]) => `  ${name.padEnd(28)}${where}`),
    '',
    'Send one message per channel; the answer names its id, and the sandbox shows it as a phone would:',
    '',
    ...examples,
    '',
    `# What became of a message\ncurl -s ${api}/v1/messages/<id> -H 'Authorization: Bearer ${KEY}'`,
    '',
    'Ctrl-C stops everything. The logs of all processes follow.',
    '',
  ].join('\n');
}
