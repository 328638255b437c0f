/** One thing wrong with the environment. Never holds a value. */
export interface ConfigFault {
  /** The environment variable. */
  readonly name: string;
  /** What it must be, for example `must be a whole number from 0 to 65535`. */
  readonly rule: string;
}

/**
 * The environment does not fit the schema. `faults` and the message list every fault by variable and rule, never a
 * value. libs/telemetry recognises it by `name` and `faults` and exits with 78.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly faults: readonly ConfigFault[]) {
    const lines = faults.map((f) => `  ${f.name} ${f.rule}`);
    super(
      `The environment has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${lines.join('\n')}`,
    );
  }
}
