import { classifySendError } from './classify-error.js';

const error = (fields: object, cause?: object): Error =>
  Object.assign(new Error('x', cause ? { cause: Object.assign(new Error('y'), cause) } : {}), fields);

describe('classifySendError', () => {
  it.each([
    ['a leader that moved', error({ name: 'KafkaJSProtocolError', type: 'NOT_LEADER_FOR_PARTITION' })],
    [
      'too few replicas, retries used up',
      error({ name: 'KafkaJSNumberOfRetriesExceeded' }, { type: 'NOT_ENOUGH_REPLICAS' }),
    ],
  ])('says of %s that nothing was stored and it may be tried again', (_name, e) => {
    expect(classifySendError(e)).toMatchObject({ kind: 'not-stored', retriable: true });
  });

  it('says of a record that is too large that trying again is no use', () => {
    expect(classifySendError(error({ type: 'MESSAGE_TOO_LARGE' }))).toMatchObject({
      kind: 'not-stored',
      retriable: false,
    });
  });

  it.each([
    ['a request without an answer', error({ name: 'KafkaJSRequestTimeoutError' })],
    ['a connection that closed under the request', error({ name: 'KafkaJSConnectionClosedError' })],
    [
      'a refused connection, which may hide a request that was lost',
      error({ name: 'KafkaJSConnectionError', code: 'ECONNREFUSED' }),
    ],
    ['metadata without a leader, likewise', error({ type: 'LEADER_NOT_AVAILABLE' })],
    ['something never seen', error({})],
    ['nothing at all', undefined],
  ])('claims no certainty about %s', (_name, e) => {
    expect(classifySendError(e).kind).toBe('unknown');
  });
});
