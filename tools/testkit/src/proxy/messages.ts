/** Where connections go on to. */
export interface ProxyTarget {
  readonly host: string;
  readonly port: number;
}

/** What a proxy does with bytes and connections. */
export type ProxyMode =
  | { readonly kind: 'pass' }
  /** Each chunk, both ways, arrives this much later; order is kept. */
  | { readonly kind: 'delay'; readonly chunkMs: number }
  /** Connections are accepted and kept, nothing moves. What is held goes on when the mode changes. */
  | { readonly kind: 'black-hole' }
  /** Connections are reset, new ones as soon as they are accepted. */
  | { readonly kind: 'cut' };

/** What the main thread tells the worker. */
export type ProxyOrder =
  | { readonly kind: 'mode'; readonly mode: ProxyMode }
  | { readonly kind: 'retarget'; readonly target: ProxyTarget }
  | { readonly kind: 'close' };

/** What the worker starts with. */
export interface ProxyStart {
  readonly target: ProxyTarget;
}

/** What the worker answers: the port once it listens, then one `done` for each order, in order. */
export type ProxyReply = { readonly kind: 'listens'; readonly port: number } | { readonly kind: 'done' };
