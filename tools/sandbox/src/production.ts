/**
 * Why the sandbox must not start in this environment, or undefined: in production it would swallow real messages.
 */
export function refusalToStart(env: {
  NODE_ENV?: string;
  SANDBOX_ALLOW_PRODUCTION?: string;
}): string | undefined {
  if (env.NODE_ENV !== 'production' || env.SANDBOX_ALLOW_PRODUCTION === '1') return undefined;
  return 'the provider sandbox does not start with NODE_ENV=production; SANDBOX_ALLOW_PRODUCTION=1 allows it';
}
