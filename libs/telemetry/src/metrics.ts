import { CHANNELS, FAILURE_CLASSES, FAILURE_STAGES, PRIORITIES, STATUSES } from '@commservice/contracts';
import {
  BATCH_CLOSED_BY,
  CALL_OUTCOMES,
  CLAIM_RESULTS,
  PRODUCE_RESULTS,
  RECORD_OUTCOMES,
  TOPIC_KINDS,
  WAIT_CAUSES,
  call,
  group,
  lane,
  scope,
} from './metric-attributes.js';
import { counter, gauge, seconds, sizes } from './metric-kinds.js';

/**
 * Every metric of the platform, by the name of its handle. Prometheus shows dots as underscores and appends `_total`
 * to counters. Dashboards, alerts and tests use these names and no others.
 */
export const METRICS = {
  // ── accepting ──
  ingestMessages: counter('commservice.ingest.messages', '{message}', 'Messages accepted (answered 202)', {
    ...lane,
    category: 'text',
    kind: ['message', 'heartbeat'],
  }),
  ingestRefused: counter('commservice.ingest.refused', '{message}', 'Messages refused', {
    status_class: ['4xx', '5xx'],
    code: 'text',
    channel: 'optional',
  }),
  ingestReplays: counter(
    'commservice.ingest.replays',
    '{message}',
    'Answers repeated for a known idempotency key',
    {
      channel: CHANNELS,
    },
  ),
  ingestRequestDuration: seconds('commservice.ingest.request.duration', 'Time to answer a request', {
    route: 'text',
    status_class: ['2xx', '3xx', '4xx', '5xx'],
  }),
  produceRecords: counter(
    'commservice.produce.records',
    '{record}',
    'Records sent to Kafka, by what is known of them',
    {
      topic_kind: TOPIC_KINDS,
      priority: PRIORITIES,
      result: PRODUCE_RESULTS,
    },
  ),
  produceDuration: seconds('commservice.produce.duration', "Time to the broker's acknowledgement", {
    topic_kind: TOPIC_KINDS,
    priority: PRIORITIES,
  }),

  // ── consuming ──
  consumerLag: gauge(
    'commservice.consumer.lag',
    '{message}',
    'Records between the commit and the end',
    group,
  ),
  consumerLagTime: gauge('commservice.consumer.lag_time', 's', 'Age of the oldest uncommitted record', group),
  consumerPartitions: gauge('commservice.consumer.partitions', '{partition}', 'Partitions held', {
    ...group,
    state: ['fetching', 'paused'],
  }),
  consumerRecords: counter('commservice.consumer.records', '{record}', 'Records fetched', group),
  consumerRebalances: counter('commservice.consumer.rebalances', '{rebalance}', 'Generations joined', group),
  consumerRebuilds: counter(
    'commservice.consumer.rebuilds',
    '{rebuild}',
    'Consumers rebuilt after a crash',
    group,
  ),
  consumerCommits: counter('commservice.consumer.commits', '{commit}', 'Offset commits', {
    ...group,
    result: ['ok', 'failed', 'stale'],
  }),
  consumerDropped: counter(
    'commservice.consumer.dropped',
    '{record}',
    'Queued records of a lost generation',
    group,
  ),
  consumerQuarantined: counter(
    'commservice.consumer.quarantined',
    '{batch}',
    'Undecodable batches set aside',
    {
      ...group,
      reason: 'text',
    },
  ),
  queueDepth: gauge('commservice.queue.depth', '{message}', 'Records in the lane queue', lane),
  queueBytes: gauge('commservice.queue.bytes', 'By', 'Bytes in the lane queue', lane),
  queueOldestAge: gauge('commservice.queue.oldest_age', 's', 'Wait of the oldest record in the queue', lane),
  queueOverflow: counter(
    'commservice.queue.overflow',
    '{record}',
    'Records the full queue turned away or spilled',
    {
      ...lane,
      policy: ['block', 'drop_newest', 'drop_oldest', 'spill'],
    },
  ),

  // ── waiting: lanes, gate, tokens ──
  waitDuration: seconds('commservice.wait.duration', 'What a record waited for, and how long', {
    ...lane,
    cause: WAIT_CAUSES,
  }),
  gateBlocked: gauge('commservice.gate.blocked', '1', '1 while the class may start no send', scope),
  gatePressing: gauge('commservice.gate.pressing', '1', '1 while the class presses', scope),
  gateViewAge: gauge('commservice.gate.view_age', 's', "Age of this pod's view of the gate", {
    scope: 'text',
  }),
  gateClosings: counter('commservice.gate.closings', '{edge}', 'Times the gate closed for the class', scope),
  tokensGranted: counter('commservice.tokens.granted', '{unit}', 'Units granted to this pod', scope),
  tokensBorrowed: counter(
    'commservice.tokens.borrowed',
    '{unit}',
    'Units granted beyond the class reserve',
    scope,
  ),
  tokensUsed: counter('commservice.tokens.used', '{unit}', 'Units spent on calls', scope),
  tokensLapsed: counter('commservice.tokens.lapsed', '{unit}', 'Units whose departure passed unused', scope),
  tokensReturned: counter('commservice.tokens.returned', '{unit}', 'Units given back', scope),
  tokensStock: gauge('commservice.tokens.stock', '{unit}', 'Units held by this pod', scope),
  leaseCalls: counter('commservice.lease.calls', '{call}', 'Calls to the coordinator', {
    scope: 'text',
    result: ['granted', 'no-quota', 'no-answer', 'error'],
  }),
  leaseDuration: seconds('commservice.lease.duration', 'Round trip to the coordinator', { scope: 'text' }),
  coordinatorState: gauge('commservice.coordinator.state', '1', '1 for the state this pod is in', {
    scope: 'text',
    state: ['coordinated', 'alone', 'frozen', 'off'],
  }),

  // ── sending ──
  deliveryLatency: seconds(
    'commservice.delivery.latency',
    'From accepted to the start of the provider call',
    lane,
  ),
  batchSize: sizes('commservice.batch.size', '{message}', 'Records taken in one slice', {
    ...lane,
    closed_by: BATCH_CLOSED_BY,
  }),
  providerCalls: counter('commservice.provider.calls', '{call}', 'Calls to providers', {
    ...call,
    outcome: CALL_OUTCOMES,
  }),
  providerUnits: counter('commservice.provider.units', '{unit}', 'Billing units of accepted calls', call),
  providerCallDuration: seconds('commservice.provider.call.duration', 'Time of one provider call', {
    ...call,
    outcome: CALL_OUTCOMES,
  }),
  providerInFlight: gauge('commservice.provider.in_flight', '{call}', 'Calls in the air', call),
  slots: gauge('commservice.dispatch.slots', '{slot}', 'Slots of the lane', {
    ...lane,
    state: ['busy', 'free'],
  }),
  claims: counter('commservice.claims', '{record}', 'Idempotency claims', { ...lane, result: CLAIM_RESULTS }),
  outcomes: counter('commservice.outcomes', '{record}', 'Records settled', {
    ...lane,
    outcome: RECORD_OUTCOMES,
  }),
  expired: counter('commservice.expired', '{message}', 'Messages not sent because their time was over', {
    ...lane,
    stage: ['accept', 'queue', 'retry', 'redrive', 'sweep'],
  }),
  repeats: counter(
    'commservice.repeats',
    '{call}',
    'Sends repeated though an earlier one may have had effect',
    {
      ...lane,
      reason: ['crash', 'no-answer', 'failover'],
    },
  ),
  retries: counter('commservice.retries', '{record}', 'Records moved to a retry tier', {
    ...lane,
    tier: 'text',
  }),
  sequenceCuts: counter(
    'commservice.sequence.cuts',
    '{record}',
    'Records cut as older than one applied',
    lane,
  ),
  failovers: counter('commservice.failovers', '{call}', 'P1 sends moved to another account', {
    channel: CHANNELS,
    from_account: 'text',
    to_account: 'text',
  }),
  breakerOpen: gauge('commservice.breaker.open', '1', '1 while the breaker holds the lane', lane),

  // ── after sending ──
  dlqMessages: counter('commservice.dlq.messages', '{message}', 'Dead letters written', {
    ...lane,
    stage: FAILURE_STAGES,
    class: FAILURE_CLASSES,
    reason: 'text',
  }),
  dlqWriteFailures: counter(
    'commservice.dlq.write_failures',
    '{attempt}',
    'Dead letters the broker did not take',
    lane,
  ),
  receipts: counter('commservice.receipts', '{receipt}', 'Delivery receipts taken', {
    channel: CHANNELS,
    account: 'text',
    state: ['delivered', 'undelivered', 'unreadable'],
  }),
  eventsProjected: counter('commservice.projector.events', '{event}', 'Status events read', {
    priority: PRIORITIES,
    status: STATUSES,
    result: ['applied', 'stale', 'unreadable'],
  }),
  projectorWriteDuration: seconds(
    'commservice.projector.write.duration',
    'Time to store one batch of events',
    {},
  ),
  imbalance: gauge('commservice.imbalance', '{message}', 'Accepted ids without exactly one end; must be 0', {
    channel: CHANNELS,
    priority: PRIORITIES,
  }),
  redriveRecords: counter('commservice.redrive.records', '{record}', 'Dead letters handled by redrive jobs', {
    ...lane,
    result: ['replayed', 'skipped', 'expired', 'parked', 'failed'],
  }),
  redriveJobs: gauge('commservice.redrive.jobs', '{job}', 'Redrive jobs', { state: 'text' }),
  deadLettersOpen: gauge('commservice.dlq.open', '{message}', 'Indexed dead letters not yet replayed', lane),

  // ── the process ──
  eventLoopDelay: gauge('commservice.eventloop.delay', 's', 'Event-loop delay since the last scrape', {
    quantile: ['p50', 'p99', 'max'],
  }),
  dependencyUp: gauge('commservice.dependency.up', '1', '1 while the dependency answers', {
    dependency: ['kafka', 'redis', 'postgres', 'catalogue', 'keys'],
  }),
  clockOffset: gauge('commservice.clock.offset', 's', "Local clock minus the platform's", {}),
} as const;

export type MetricName = keyof typeof METRICS;
