/** A map that remembers the `max` ids set last and forgets the oldest. */
export class RecentIds<V> {
  private readonly ids = new Map<string, V>();

  constructor(private readonly max: number) {}

  get size(): number {
    return this.ids.size;
  }

  get(id: string): V | undefined {
    return this.ids.get(id);
  }

  set(id: string, value: V): void {
    this.ids.delete(id);
    if (this.ids.size >= this.max) {
      for (const oldest of this.ids.keys()) {
        this.ids.delete(oldest);
        break;
      }
    }
    this.ids.set(id, value);
  }

  delete(id: string): void {
    this.ids.delete(id);
  }
}
