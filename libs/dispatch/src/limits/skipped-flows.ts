/** What waits for one limit, in the order in which it came. */
export interface Flow<T> {
  readonly key: string;
  /** Ascending by `order`; never empty while the flow exists. */
  readonly waiting: { readonly order: number; readonly item: T }[];
  /** When its first may be looked at, monotonic ms. */
  openAtMs: number;
}

/**
 * Flows by key, found by when they open. Invariants: a flow exists while it holds something and is in the heap exactly once;
 * within a flow first come, first out. Pure. Caller: SkippingStage.
 */
export class SkippedFlows<T> {
  private readonly flows = new Map<string, Flow<T>>();
  /** Binary heap, the flow that opens first on top. */
  private readonly heap: Flow<T>[] = [];
  private count = 0;

  get size(): number {
    return this.count;
  }

  has(key: string): boolean {
    return this.flows.has(key);
  }

  /** Whether a flow holds one that came before `order`. */
  hasBefore(key: string, order: number): boolean {
    const first = this.flows.get(key)?.waiting[0];
    return first !== undefined && first.order < order;
  }

  /** When the first flow opens; undefined when there is none. */
  get nextOpenAtMs(): number | undefined {
    return this.heap[0]?.openAtMs;
  }

  /** @param openAtMs counts for a new flow; one that exists opens when it opens */
  add(key: string, order: number, item: T, openAtMs: number): void {
    this.count++;
    const flow = this.flows.get(key);
    if (!flow) return this.open({ key, waiting: [{ order, item }], openAtMs });
    let at = flow.waiting.length;
    while (at > 0 && (flow.waiting[at - 1] as { order: number }).order > order) at--;
    flow.waiting.splice(at, 0, { order, item });
  }

  /** Takes the flow that opens first out of the heap, if it is open; `putBack` or `drop` must follow. */
  takeOpen(nowMs: number): Flow<T> | undefined {
    if ((this.heap[0]?.openAtMs ?? Infinity) > nowMs) return undefined;
    return this.pop();
  }

  /** The first of a flow that was taken; it leaves the flow. */
  shift(flow: Flow<T>): { readonly order: number; readonly item: T } {
    this.count--;
    return flow.waiting.shift() as { order: number; item: T };
  }

  /** Puts a flow that was taken back; an empty one ends. */
  putBack(flow: Flow<T>, openAtMs: number): void {
    flow.openAtMs = openAtMs;
    if (flow.waiting.length > 0) this.push(flow);
    else this.flows.delete(flow.key);
  }

  /** Takes out up to `most` that `isOver` names, wherever they wait. A flow that lost its first may be looked at now. */
  takeWhere(isOver: (item: T) => boolean, most: number, nowMs: number): T[] {
    const out: T[] = [];
    for (const flow of this.flows.values()) {
      const { waiting } = flow;
      const first = waiting[0];
      const taken = out.length;
      const rest = waiting.filter(({ item }) => !(out.length < most && isOver(item) && out.push(item)));
      if (out.length === taken) continue;
      waiting.splice(0, waiting.length, ...rest);
      if (rest[0] !== first) flow.openAtMs = nowMs;
      if (rest.length === 0) this.flows.delete(flow.key);
    }
    if (out.length === 0) return out;
    this.count -= out.length;
    this.heap.length = 0;
    for (const flow of this.flows.values()) this.push(flow);
    return out;
  }

  /** What is open at `nowMs` opens at `untilMs`, which is later. */
  postpone(nowMs: number, untilMs: number): void {
    for (let flow = this.takeOpen(nowMs); flow; flow = this.takeOpen(nowMs)) this.putBack(flow, untilMs);
  }

  /** All flows may be looked at from `nowMs` on. */
  openAll(nowMs: number): void {
    for (const flow of this.heap) flow.openAtMs = nowMs;
  }

  clear(): void {
    this.flows.clear();
    this.heap.length = 0;
    this.count = 0;
  }

  *all(): Iterable<Flow<T>> {
    yield* this.flows.values();
  }

  private open(flow: Flow<T>): void {
    this.flows.set(flow.key, flow);
    this.push(flow);
  }

  private push(flow: Flow<T>): void {
    const { heap } = this;
    let i = heap.push(flow) - 1;
    while (i > 0) {
      const up = (i - 1) >> 1;
      if ((heap[up] as Flow<T>).openAtMs <= flow.openAtMs) break;
      heap[i] = heap[up] as Flow<T>;
      i = up;
    }
    heap[i] = flow;
  }

  private pop(): Flow<T> | undefined {
    const { heap } = this;
    const top = heap[0];
    const last = heap.pop();
    if (!last || heap.length === 0) return top;
    let i = 0;
    for (let down = 1; down < heap.length; down = 2 * i + 1) {
      const right = heap[down + 1];
      if (right && right.openAtMs < (heap[down] as Flow<T>).openAtMs) down++;
      if ((heap[down] as Flow<T>).openAtMs >= last.openAtMs) break;
      heap[i] = heap[down] as Flow<T>;
      i = down;
    }
    heap[i] = last;
    return top;
  }
}
