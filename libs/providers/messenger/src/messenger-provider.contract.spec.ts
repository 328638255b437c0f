import { PROVIDER_CONTRACT, type ContractSubject } from '@commservice/tools-sandbox';
import { createMessengerProvider } from './messenger-provider.js';

const subject: ContractSubject = {
  channel: 'messenger',
  create: createMessengerProvider,
  address: { service: 'telegram', id: '123456789' },
  content: { text: 'Your code is 481516' },
  refusedMessage: { service: 'viber', id: '79005550422' },
  refusedRecipient: { service: 'telegram', id: '79005550403' },
  recipientCode: 'user_blocked_bot',
};

describe('the messenger provider keeps the contract of providers', () => {
  it.each(PROVIDER_CONTRACT)('$name', async ({ run }) => {
    await expect(run(subject)).resolves.toBeUndefined();
  });
});
