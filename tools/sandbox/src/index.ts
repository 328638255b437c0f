export { type CallOutcome } from './call-log.js';
export { DEFAULT_ACCOUNTS, type AccountChange, type AccountConfig, type ConfigChange } from './config.js';
export { MAGIC, magicOf, type MagicEffect } from './magic.js';
export { refusalToStart } from './production.js';
export { startSandbox, type Sandbox, type SandboxOptions } from './server.js';
export { smsParts } from './sms-parts.js';
export {
  PROVIDER_CONTRACT,
  type ContractCase,
  type ContractOptions,
  type ContractSubject,
} from './provider-contract/index.js';
