import { Module, type DynamicModule } from '@nestjs/common';
import { LaneStrategy } from '@commservice/kafka';
import type { ServicePlan, ServiceRuntime } from '@commservice/telemetry';
import { ControlDesk } from '../controls/control-desk.js';
import { openDispatcher, Dispatcher } from '../dispatcher.js';
import type { DispatcherOptions } from '../dispatcher-options.js';
import { observeDispatcher } from '../observe-dispatcher.js';
import { ReceiptIntake } from '../receipts/receipt-intake.js';
import { ControlsController } from './controls.controller.js';
import { laneController } from './lane-controller.js';
import { LanesController } from './lanes.controller.js';
import { installOperatorHttp } from './operator-http.js';
import { ReceiptsController } from './receipts.controller.js';

@Module({})
class DispatcherModule {}

/** What a dispatcher app tells its service; logger and metrics come from the running service. */
export type DispatcherPlanOptions = (
  runtime: ServiceRuntime,
) => Promise<Omit<DispatcherOptions, 'logger' | 'metrics'>>;

/** The part of a service plan that makes an app a dispatcher: its module, its lanes as transports, its shutdown. */
export function dispatcherPlan(
  options: DispatcherPlanOptions,
): Pick<ServicePlan, 'module' | 'http' | 'beforeListen' | 'afterListen'> {
  let dispatcher: Dispatcher | undefined;
  return {
    http: { rawBody: true },
    module: async (runtime) => {
      dispatcher = await openDispatcher({
        ...(await options(runtime)),
        logger: runtime.logger,
        metrics: runtime.metrics,
      });
      register(dispatcher, runtime);
      return moduleOf(dispatcher);
    },
    beforeListen: (app, { logger }) => {
      const running = dispatcher;
      if (!running) return;
      installOperatorHttp(app, { catalogue: () => running.catalogue, logger });
      for (const lane of running.lanes)
        app.connectMicroservice({ strategy: new LaneStrategy(lane.transport, lane) });
    },
    afterListen: async (app) => {
      await app.startAllMicroservices();
    },
  };
}

function register(dispatcher: Dispatcher, runtime: ServiceRuntime): void {
  // first of all, while receipts still come in: Nest would close HTTP before its transports
  runtime.onStop('lanes', () => stopAll(dispatcher.lanes));
  runtime.onRelease('dispatcher', () => dispatcher.close());
  observeDispatcher(dispatcher, runtime.metrics);
  runtime.readiness.register({
    name: 'lanes',
    check: () => {
      const reasons = dispatcher.notReady();
      return {
        ok: reasons.length === 0,
        detail: reasons.length === 0 ? 'All lanes fetch and send.' : reasons.join('; '),
      };
    },
  });
}

/** Stops all lanes and waits for each, also when one fails; rejects then with what failed. */
export async function stopAll(lanes: readonly { stop(): Promise<void> }[]): Promise<void> {
  const ended = await Promise.allSettled(lanes.map((lane) => lane.stop()));
  const failed = ended.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}

function moduleOf(dispatcher: Dispatcher): DynamicModule {
  return {
    module: DispatcherModule,
    controllers: [
      LanesController,
      ControlsController,
      ReceiptsController,
      ...dispatcher.lanes.map(laneController),
    ],
    providers: [
      { provide: Dispatcher, useValue: dispatcher },
      { provide: ControlDesk, useValue: dispatcher.desk },
      { provide: ReceiptIntake, useValue: dispatcher.receipts },
    ],
  };
}
