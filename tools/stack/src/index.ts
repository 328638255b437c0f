export * from './fault.js';
export { APPS, type AppName } from './platform/app-names.js';
export type { ExternalServers, PlatformLog, PlatformOptions } from './platform/options.js';
export type { PlatformProcess } from './platform/platform.js';
export { DEVELOPMENT_CATALOGUE, DEVELOPMENT_MASTER_KEY } from './platform/development.js';
export {
  freePlatformPorts,
  startPlatform,
  type PlatformHandle,
  type StartOptions,
} from './platform/start-platform.js';
export { PORTS, type PlatformPorts, type PortName } from './ports.js';
export * from './process/identity.js';
export { clearData, stopLeftovers } from './process/leftovers.js';
export * from './process/managed-process.js';
export * from './process/pid-file.js';
export * from './process/port.js';
export * from './process/stop.js';
export * from './root.js';
export * from './servers/server.js';
export { ServerSet, type ServerPorts, type ServerSetOptions } from './servers/server-set.js';
