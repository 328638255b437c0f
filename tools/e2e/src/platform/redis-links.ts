import { TcpProxy } from '@commservice/testkit';
import { APPS, type AppName } from '@commservice/tools-stack';

/** Who reaches Redis through which proxy: each sms pod has its own, all other apps share one. */
export const REDIS_LINKS = ['sms-1', 'sms-2', 'others'] as const;
export type RedisLinkName = (typeof REDIS_LINKS)[number];

const linkOf = (app: AppName): RedisLinkName => (app === 'sms-1' || app === 'sms-2' ? app : 'others');

/**
 * The apps' links to Redis, each to be broken by itself; the journey's own way to Redis (`urls.redis`) stays direct.
 * Caller: the platform of a run.
 */
export class RedisLinks {
  private constructor(
    private readonly port: number,
    private readonly proxies: Readonly<Record<RedisLinkName, TcpProxy>>,
  ) {}

  /** @param port Redis's own; it need not run yet */
  static async open(port: number): Promise<RedisLinks> {
    const open = (): Promise<TcpProxy> => TcpProxy.open({ host: '127.0.0.1', port });
    const [one, two, others] = await Promise.all([open(), open(), open()]);
    return new RedisLinks(port, { 'sms-1': one, 'sms-2': two, others });
  }

  link(name: RedisLinkName): TcpProxy {
    return this.proxies[name];
  }

  get all(): readonly TcpProxy[] {
    return REDIS_LINKS.map((name) => this.proxies[name]);
  }

  /** What leads each app to its link. */
  environment(): Partial<Record<AppName, NodeJS.ProcessEnv>> {
    return Object.fromEntries(
      APPS.map((app) => [app, { REDIS_URL: `redis://127.0.0.1:${this.proxies[linkOf(app)].port}` }]),
    );
  }

  /** All lead to another Redis from now on; without a port, back to the platform's own. */
  async leadTo(port = this.port): Promise<void> {
    await Promise.all(this.all.map((link) => link.retarget({ host: '127.0.0.1', port })));
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((link) => link.close()));
  }
}
