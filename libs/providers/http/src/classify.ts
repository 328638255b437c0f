import { unreachable, type Address, type ProviderError, type SendResult } from '@commservice/contracts';
import type { Answer, WireCode } from './answer.js';
import { PROTOCOL_CODES, type CodeMeaning, type CodeTable } from './code-table.js';
import { retryAfterMs } from './retry-after.js';
import { readVendorAnswer, type VendorAnswer } from './vendor-answer.js';

/** What a classification needs to know beside the answer. */
export interface SendFacts {
  readonly codes: CodeTable;
  readonly idempotency: 'key' | 'none';
  readonly address: Address;
  readonly units: number;
  readonly receipt: 'none' | 'expected';
  readonly nowEpochMs: number;
}

/** What became of a send, by facts only: whether bytes left, the status, the vendor's code by table. Never by text. */
export function classify(answer: Answer, facts: SendFacts): SendResult {
  switch (answer.kind) {
    case 'not-sent':
      return notSent(answer.code);
    case 'lost':
      return {
        kind: 'unknown',
        error: { code: answer.code, message: 'the request left and no answer came' },
      };
    case 'answered':
      return byStatus(answer.status, readVendorAnswer(answer.body, facts.address), facts, answer.retryAfter);
    default:
      return unreachable(answer);
  }
}

function notSent(code: WireCode): SendResult {
  if (code === 'unsendable') {
    const message = 'the message cannot be written as a request';
    return { kind: 'rejected', terminalFor: 'message', error: { code, message } };
  }
  return { kind: 'retryable', error: { code, message: 'nothing was sent' } };
}

const errorOf = (status: number, code = `http_${status}`): ProviderError => ({
  code,
  status,
  message: `the provider answered ${status}`,
});

/** The vendor's code decides where a table knows it, whatever the 4xx; else the status does. */
function byStatus(
  status: number,
  body: VendorAnswer | undefined,
  facts: SendFacts,
  retryAfter?: string,
): SendResult {
  if (status < 300) return taken(status, body, facts);
  const error = errorOf(status, body?.code);
  const wait = retryAfterMs(retryAfter, facts.nowEpochMs);
  const hint = wait === undefined ? {} : { retryAfterMs: wait };
  const meaning = status >= 400 && status < 500 ? meaningOf(body?.code, facts.codes) : undefined;
  if (meaning) return byMeaning(meaning, hint, error);
  switch (status) {
    case 408:
    case 425:
    case 500:
    case 503:
      return { kind: 'retryable', ...hint, error };
    case 401:
    case 403:
    case 407:
      return refusedAccount(error);
    case 429:
      return { kind: 'throttled', scope: 'account', ...hint, error };
    default:
      return otherStatus(status, body, facts, error);
  }
}

/** A status alone: it usually means the account, and may mean this one message. */
const refusedAccount = (error: ProviderError): SendResult => ({
  kind: 'misconfigured',
  scope: 'account',
  error: { ...error, unmapped: true },
});

/** 2xx: accepted only if the answer names the message; anything else may be an error in disguise. */
function taken(status: number, body: VendorAnswer | undefined, facts: SendFacts): SendResult {
  if (body?.providerId === undefined) return { kind: 'unknown', error: errorOf(status, 'unreadable_answer') };
  return {
    kind: 'accepted',
    providerIds: [body.providerId],
    units: body.units ?? facts.units,
    receipt: facts.receipt,
  };
}

function otherStatus(
  status: number,
  body: VendorAnswer | undefined,
  facts: SendFacts,
  error: ProviderError,
): SendResult {
  // 303 follows work that was done; other redirects mean that the address of the vendor is wrong
  if (status < 400) return status === 303 ? { kind: 'unknown', error } : refusedAccount(error);
  if (status >= 500) return { kind: 'unknown', error };
  if (status === 409 && facts.idempotency === 'key') {
    // our own key again: the vendor has the message
    const providerIds = body?.providerId === undefined ? [] : [body.providerId];
    return { kind: 'accepted', providerIds, units: body?.units ?? facts.units, receipt: facts.receipt };
  }
  const plain = body?.code === undefined || body.code === 'not_found';
  if (plain && (status === 404 || status === 405)) return refusedAccount(error);
  const unmapped = status === 413 ? {} : { unmapped: true as const };
  return { kind: 'rejected', terminalFor: 'message', error: { ...error, ...unmapped } };
}

function meaningOf(code: string | undefined, codes: CodeTable): CodeMeaning | undefined {
  if (code === undefined) return undefined;
  if (Object.hasOwn(codes, code)) return codes[code];
  return Object.hasOwn(PROTOCOL_CODES, code) ? PROTOCOL_CODES[code] : undefined;
}

function byMeaning(meaning: CodeMeaning, hint: { retryAfterMs?: number }, error: ProviderError): SendResult {
  switch (meaning.kind) {
    case 'rejected':
      return { kind: 'rejected', terminalFor: meaning.terminalFor, error };
    case 'retryable':
      return { kind: 'retryable', ...hint, error };
    case 'throttled':
      return { kind: 'throttled', scope: meaning.scope, ...hint, error };
    case 'misconfigured':
      return { kind: 'misconfigured', scope: meaning.scope, error };
    default:
      return unreachable(meaning);
  }
}
