import type { FieldError } from '@commservice/contracts';
import type { z } from 'zod';
import { FAULT_DETAILS, fault, pointerTo, type FaultCode } from './faults.js';

type Issue = z.core.$ZodIssue;

/** Fields whose own codes say more than the general ones. */
const BY_FIELD: Readonly<Record<string, Partial<Record<FaultCode, FaultCode>>>> = {
  channel: { invalid_value: 'unknown_channel', wrong_type: 'unknown_channel' },
  platform: { invalid_value: 'unknown_platform', wrong_type: 'unknown_platform' },
  service: { invalid_value: 'unknown_service', wrong_type: 'unknown_service' },
  ttl: { invalid_format: 'ttl_invalid', wrong_type: 'ttl_invalid' },
  phone: { too_long: 'phone_too_long' },
};

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let at: unknown = root;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}

function customCode(issue: Issue): FaultCode {
  const code = issue.code === 'custom' ? (issue.params?.['code'] as string | undefined) : undefined;
  return code !== undefined && Object.hasOwn(FAULT_DETAILS, code) ? (code as FaultCode) : 'invalid_value';
}

function sizeCode(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): FaultCode {
  if (issue.origin === 'array') return issue.code === 'too_big' ? 'too_many_entries' : 'empty';
  if (issue.origin !== 'string') return issue.code === 'too_big' ? 'too_large' : 'too_small';
  if (issue.code === 'too_big') return 'too_long';
  return issue.minimum === 1 ? 'empty' : 'too_short';
}

function codeOf(issue: Issue, root: unknown): FaultCode {
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_value':
    case 'invalid_union':
      if (valueAt(root, issue.path) === undefined) return 'required';
      return issue.code === 'invalid_type' ? 'wrong_type' : 'invalid_value';
    case 'too_small':
    case 'too_big':
      return sizeCode(issue);
    case 'invalid_format':
      return 'invalid_format';
    case 'invalid_key':
      return 'invalid_name';
    case 'unrecognized_keys':
      return 'unknown_field';
    case 'custom':
      return customCode(issue);
    default:
      return 'invalid_value';
  }
}

/** The faults a schema found in `root`, with pointers and our codes; no message of the schema library is passed on. */
export function faultsOf(issues: readonly Issue[], root: unknown): FieldError[] {
  return issues.flatMap((issue) => {
    const pointer = issue.path.reduce<string>(pointerTo, '');
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => fault(pointerTo(pointer, key), 'unknown_field'));
    const code = codeOf(issue, root);
    const field = String(issue.path.at(-1) ?? '');
    if (issue.path.length === 0 && code !== 'unknown_field') return [fault('', 'body_not_object')];
    return [fault(pointer, (Object.hasOwn(BY_FIELD, field) ? BY_FIELD[field]?.[code] : undefined) ?? code)];
  });
}
