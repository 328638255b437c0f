import { isError, serializeError } from './serialize-error.js';

/** sysexits EX_CONFIG: restarting will not help until the configuration changes. */
export const EXIT_CONFIG = 78;
export const EXIT_FAILURE = 1;

/** Why a service could not start, for people, and the exit code. */
export interface StartFault {
  readonly sentences: readonly string[];
  readonly exitCode: number;
  /** Whether the fault is a known one; an unknown one is logged with its stack too. */
  readonly known: boolean;
}

/** Explains what was thrown while starting: bad configuration, a taken or forbidden port, or anything else. */
export function explainStartFault(
  service: string,
  thrown: unknown,
  listen?: { host: string; port: number },
): StartFault {
  const faults = configFaults(thrown);
  if (faults) {
    const sentences = faults.map((f) => `${service} cannot start: ${f.name} ${f.rule}.`);
    return { sentences, exitCode: EXIT_CONFIG, known: true };
  }
  const { code, message } = serializeError(thrown);
  const at = listen ? `port ${listen.port} on ${listen.host}` : 'its port';
  if (code === 'EADDRINUSE') {
    return oneSentence(
      `${service} cannot start: ${at} is already in use; stop the other process or set PORT.`,
    );
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
    return oneSentence(`${service} cannot start: ${at} cannot be opened (${code}); check HOST and PORT.`);
  }
  return { sentences: [`${service} cannot start: ${message}`], exitCode: EXIT_FAILURE, known: false };
}

const oneSentence = (sentence: string): StartFault => ({
  sentences: [sentence],
  exitCode: EXIT_FAILURE,
  known: true,
});

/** libs/config's ConfigError, recognised by its shape: a platform library may not import a bootstrap one. */
function configFaults(thrown: unknown): { name: string; rule: string }[] | undefined {
  if (!isError(thrown) || thrown.name !== 'ConfigError') return undefined;
  const { faults } = thrown as { faults?: unknown };
  return Array.isArray(faults) ? (faults as { name: string; rule: string }[]) : undefined;
}
