export { Dispatcher, openDispatcher, type DispatcherOptions, type ProviderRequest } from './dispatcher.js';
export type { LanesView, LaneView } from './lanes-view.js';
export {
  dispatcherService,
  type DispatcherSettings,
  type ProviderFactory,
} from './nest/dispatcher-service.js';
