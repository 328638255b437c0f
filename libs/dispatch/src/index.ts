export { Dispatcher, openDispatcher } from './dispatcher.js';
export type { DispatcherOptions, ProviderRequest } from './dispatcher-options.js';
export type { LanesView, LaneView } from './lanes-view.js';
export {
  dispatcherService,
  type DispatcherSettings,
  type ProviderFactory,
} from './nest/dispatcher-service.js';
