import { PROVIDER_CONTRACT, type ContractSubject } from '@commservice/tools-sandbox';
import { createSmsProvider } from './sms-provider.js';

const subject: ContractSubject = {
  channel: 'sms',
  create: createSmsProvider,
  address: { phone: '+447700900123' },
  content: { text: 'Your code is 481516' },
  refusedMessage: { phone: '+79005550422' },
  refusedRecipient: { phone: '+79005550403' },
  recipientCode: 'unknown_subscriber',
};

describe('the sms provider keeps the contract of providers', () => {
  it.each(PROVIDER_CONTRACT)('$name', async ({ run }) => {
    await expect(run(subject)).resolves.toBeUndefined();
  });
});
