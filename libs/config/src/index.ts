export * from './config-error.js';
export * from './describe-env.js';
export {
  developmentDefault,
  optional,
  refusedInProduction,
  withDefault,
  type EnvField,
  type Parsed,
} from './env-field.js';
export * from './fields.js';
export * from './groups.js';
export * from './load-config.js';
export * from './secret.js';
