import { PROVIDER_CONTRACT, type ContractSubject } from '@commservice/tools-sandbox';
import { createEmailProvider } from './email-provider.js';

const subject: ContractSubject = {
  channel: 'email',
  create: createEmailProvider,
  address: { email: 'somebody@mail.example', name: 'Some Body' },
  content: { subject: 'Sign-in code', text: 'Your code is 481516', html: '<p>Your code is 481516</p>' },
  refusedMessage: { email: 'magic-0422@mail.example' },
  refusedRecipient: { email: 'magic-0403@mail.example' },
  recipientCode: 'mailbox_not_found',
};

describe('the email provider keeps the contract of providers', () => {
  it.each(PROVIDER_CONTRACT)('$name', async ({ run }) => {
    await expect(run(subject)).resolves.toBeUndefined();
  });
});
