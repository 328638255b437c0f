/** A growing ring: push and shift at constant cost, where Array.shift would move every element. */
export class Ring<T> {
  private slots: (T | undefined)[] = new Array<T | undefined>(16);
  private head = 0;
  private count = 0;

  get length(): number {
    return this.count;
  }

  push(item: T): void {
    if (this.count === this.slots.length) this.grow();
    this.slots[(this.head + this.count) & (this.slots.length - 1)] = item;
    this.count++;
  }

  shift(): T | undefined {
    if (this.count === 0) return undefined;
    const item = this.slots[this.head];
    this.slots[this.head] = undefined;
    this.head = (this.head + 1) & (this.slots.length - 1);
    this.count--;
    return item;
  }

  peek(): T | undefined {
    return this.count === 0 ? undefined : this.slots[this.head];
  }

  private grow(): void {
    const next = new Array<T | undefined>(this.slots.length * 2);
    for (let i = 0; i < this.count; i++) next[i] = this.slots[(this.head + i) & (this.slots.length - 1)];
    this.slots = next;
    this.head = 0;
  }
}
