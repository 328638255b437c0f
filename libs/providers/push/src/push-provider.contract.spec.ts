import { PROVIDER_CONTRACT, type ContractSubject } from '@commservice/tools-sandbox';
import { createPushProvider } from './push-provider.js';

const subject: ContractSubject = {
  channel: 'push',
  create: createPushProvider,
  address: { platform: 'fcm', token: 'cYx1secrettokenvalue' },
  content: { title: 'Sign-in code', body: 'Your code is 481516', data: { screen: 'login' } },
  refusedMessage: { platform: 'apns', token: 'a1b2deadbeef0422' },
  refusedRecipient: { platform: 'fcm', token: 'any-deadbeef0403' },
  recipientCode: 'unregistered_token',
};

describe('the push provider keeps the contract of providers', () => {
  it.each(PROVIDER_CONTRACT)('$name', async ({ run }) => {
    await expect(run(subject)).resolves.toBeUndefined();
  });
});
