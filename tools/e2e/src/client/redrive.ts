const KEY = 'ops_demo_key_for_development_only';

/** One dead letter as dlq-redrive shows it; never its payload. */
export interface DeadLetterView {
  readonly id: string;
  readonly state: string;
  readonly messageId?: string;
  readonly stage?: string;
  readonly class?: string;
  readonly code?: string;
}

/** dlq-redrive's API as an operator uses it. */
export class Redrive {
  constructor(private readonly base: string) {}

  async call<T>(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<T> {
    const response = await fetch(`${this.base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${KEY}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    });
    const text = await response.text();
    if (!response.ok)
      throw new Error(`${method} ${path} was answered ${response.status}: ${text.slice(0, 500)}`);
    return JSON.parse(text) as T;
  }

  /** Dead letters of a lane topic, newest first. */
  async deadLetters(topic: string): Promise<readonly DeadLetterView[]> {
    return (await this.call<{ deadLetters: DeadLetterView[] }>('GET', `/v1/dead-letters?topic=${topic}`))
      .deadLetters;
  }

  /** Starts a job that puts these back into their lanes. */
  redrive(ids: readonly string[], idempotencyKey: string): Promise<{ id: string; state: string }> {
    const body = { selector: { ids }, ratePerSecond: 50, reason: 'the provider takes this text again' };
    return this.call('POST', '/v1/redrive-jobs', body, { 'idempotency-key': idempotencyKey });
  }

  job(id: string): Promise<{ id: string; state: string; counters: { produced: number } }> {
    return this.call('GET', `/v1/redrive-jobs/${id}`);
  }
}
