import type { Metrics } from '@commservice/telemetry';
import type { Dispatcher } from './dispatcher.js';

/** Registers the gauges of a dispatcher's lanes and scopes. */
export function observeDispatcher(dispatcher: Dispatcher, metrics: Metrics): void {
  const lanes = dispatcher.lanes.filter((lane) => !lane.isRetry);
  const scopes = (): ReturnType<Dispatcher['view']>['scopes'] => dispatcher.view().scopes;
  metrics.observe('queueDepth', () => lanes.map((l) => ({ value: l.queue.depth, attributes: l.id })));
  metrics.observe('queueBytes', () => lanes.map((l) => ({ value: l.queue.bytes, attributes: l.id })));
  metrics.observe('consumerLag', () =>
    dispatcher.lanes.map((l) => ({
      value: l.topics.reduce((sum, topic) => sum + l.consumer.lag(topic), 0),
      attributes: { ...l.id, group: l.group },
    })),
  );
  metrics.observe('clockOffset', () => [{ value: dispatcher.clockAheadMs / 1000, attributes: {} }]);
  metrics.observe('gateBlocked', () =>
    scopes().flatMap((s) =>
      (['P1', 'P2', 'P3'] as const).map((priority) => ({
        value: s.classes[priority].gate === 'open' ? 0 : 1,
        attributes: { scope: s.scope, priority },
      })),
    ),
  );
}
