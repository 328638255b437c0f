import { Ring } from './ring.js';

/**
 * Several flows that take turns: one item of each, first in, first out within a flow. A flow that comes back after it was
 * empty waits for one turn of the others, so that nobody gains by sending one at a time. With one flow it is a plain ring.
 * Push and shift cost the same however many flows there are. Caller: BoundedQueue.
 */
export class Turns<T> {
  private readonly flows = new Map<string, Ring<T>>();
  /** Flows that hold something, in the order of their turns; the first is next. */
  private order = new Ring<string>();
  private count = 0;

  get length(): number {
    return this.count;
  }

  push(flow: string, item: T): void {
    let ring = this.flows.get(flow);
    if (!ring) {
      ring = new Ring<T>();
      this.flows.set(flow, ring);
      this.order.push(flow);
    }
    ring.push(item);
    this.count++;
  }

  /** The item of the flow whose turn it is. */
  peek(): T | undefined {
    const flow = this.order.peek();
    return flow === undefined ? undefined : this.flows.get(flow)?.peek();
  }

  shift(): T | undefined {
    const flow = this.order.shift();
    if (flow === undefined) return undefined;
    const ring = this.flows.get(flow) as Ring<T>;
    const item = ring.shift();
    this.count--;
    if (ring.length > 0) this.order.push(flow);
    else this.flows.delete(flow);
    return item;
  }

  /** The first item of every flow. */
  *heads(): Iterable<T> {
    for (const ring of this.flows.values()) yield ring.peek() as T;
  }
}
