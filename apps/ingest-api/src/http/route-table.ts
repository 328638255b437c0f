import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpProblem } from './http-problem.js';
import { pathOf } from './request-state.js';

interface Known {
  readonly exact: boolean;
  readonly form: RegExp;
  readonly methods: Set<string>;
}

/** A route's pattern (`:name` is one segment, `*` the rest) as a regular expression. */
function formOf(url: string): RegExp {
  const source = url
    .split(/(:[A-Za-z]+|\*)/)
    .map((part) =>
      part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'),
    );
  return new RegExp(`^${source.join('')}$`);
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/**
 * The routes of an app with their methods, to tell an unknown address (404) from one that takes another method (405).
 * Filled while routes are made; read by the first hook for requests that no route takes.
 */
export class RouteTable {
  private readonly known = new Map<string, Known>();

  /** Hears of every route that is made from now on. */
  listen(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method }) => {
      const entry = this.known.get(url) ?? {
        exact: !/[:*]/.test(url),
        form: formOf(url),
        methods: new Set<string>(),
      };
      for (const name of [method].flat()) entry.methods.add(name);
      this.known.set(url, entry);
    });
  }

  /** The answer to a request that no route takes. */
  refusal(request: FastifyRequest): HttpProblem {
    const methods = this.methodsAt(pathOf(request.url));
    if (methods === undefined) return HttpProblem.of('not-found', 404, 'There is nothing at this address');
    return HttpProblem.of('method-not-allowed', 405, 'This address does not take that method', {
      allow: methods.join(', '),
    });
  }

  /** Methods of the route that the router would choose: one without parameters before the others. */
  private methodsAt(path: string): string[] | undefined {
    const plain = decoded(path);
    if (plain === undefined) return undefined;
    const fitting = [...this.known.values()].filter(({ form }) => form.test(plain));
    const found = fitting.find(({ exact }) => exact) ?? fitting[0];
    return found && [...found.methods].sort();
  }
}
