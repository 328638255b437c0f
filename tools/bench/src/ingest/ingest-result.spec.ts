import { ingestResult, type IngestFindings } from './ingest-result.js';

function findings(change: {
  accepted?: string[];
  written?: [string, number][];
  statuses?: [number, number][];
  lost?: number;
  ackLost?: number;
  away?: number;
}): IngestFindings {
  const accepted = new Set(change.accepted ?? ['a', 'b']);
  const outage = change.away === undefined ? undefined : { stoppedAt: 1_000, startedAt: 2_000 };
  return {
    options: { clients: 1, seconds: 3, brokerStopSeconds: outage ? 1 : 0 },
    load: {
      accepted,
      statuses: new Map(change.statuses ?? [[202, accepted.size]]),
      ackLost: change.ackLost ?? 0,
      withoutRetryAfter: 0,
      durationsMs: [1, 2],
      firstAcceptedAfter: (since) => since + 400,
    },
    outage,
    from: 0,
    elapsedS: 3,
    samples: [1, 1.5, 2, 3].map((atS) => ({ atS, mib: 200 + (atS === 1.5 ? (change.away ?? 0) : 0) })),
    lost: change.lost ?? 0,
    written: new Map(change.written ?? [...accepted].map((id) => [id, 1])),
    restarted: false,
  };
}

const failed = (f: IngestFindings): string[] =>
  ingestResult(f)
    .checks.filter((check) => !check.ok)
    .map((check) => check.text);

describe('ingestResult', () => {
  it('holds when the topics hold exactly what was answered 202', () => {
    expect(failed(findings({}))).toEqual([]);
  });

  it('fails for a 202 that is on no topic', () => {
    expect(failed(findings({ written: [['a', 1]] }))).toEqual(['every id answered 202 is on its topic']);
  });

  it('fails for an id without a 202 that nobody was told of', () => {
    const written: [string, number][] = [['a', 1], ['b', 1], ['c', 1]]; // prettier-ignore
    expect(failed(findings({ written }))).toHaveLength(1);
    expect(failed(findings({ written, lost: 1, ackLost: 0 }))).toHaveLength(1);
    expect(failed(findings({ written, lost: 1, ackLost: 1 }))).toEqual([]);
  });

  it('fails for an id that was written twice', () => {
    expect(failed(findings({ written: [['a', 2], ['b', 1]] }))).toEqual(['1 ids are on a topic twice']); // prettier-ignore
  });

  it('takes 503 only while the broker was away, and memory only as flat', () => {
    const statuses: [number, number][] = [[202, 2], [503, 5]]; // prettier-ignore
    expect(failed(findings({ statuses }))).toEqual(['only 202 was answered']);
    expect(failed(findings({ statuses, away: 10 }))).toEqual([]);
    expect(failed(findings({ statuses, away: 100 }))).toHaveLength(1);
  });
});
