import type { Coordinator, Edge, LeaseRequest, LeaseResult } from '../coordinator/coordinator.js';
import type { VirtualTime } from './virtual-time.js';

export type Message = 'request' | 'answer' | 'edge';

/** The coordinator as one pod reaches it: over a wire that takes time and may be cut. */
export class Wire implements Coordinator {
  cut = false;
  /** Calls arrive, answers do not. */
  deaf = false;
  /** How much longer than usual an answer takes, ms. */
  answerLateMs = 0;
  /** Edges get lost. */
  edgesLost = false;
  /** Takes the messages over: whoever sets it delivers them, in an order of its own. */
  intercept: ((message: Message, deliver: () => void) => void) | undefined;
  calls = 0;

  constructor(
    private readonly inner: Coordinator,
    private readonly time: VirtualTime,
    private readonly wireMs: number,
    private readonly awake: (run: () => void) => void,
  ) {}

  lease(request: LeaseRequest, deadlineMs: number): Promise<LeaseResult> {
    this.calls++;
    return new Promise((resolve) => {
      this.time.exactly(deadlineMs, () =>
        this.awake(() => resolve({ kind: 'no-answer', reason: 'deadline' })),
      );
      if (this.cut) return;
      this.send('request', this.wireMs, () => {
        void this.inner.lease(request, deadlineMs).then((result) => {
          this.send('answer', this.wireMs + this.answerLateMs, () =>
            this.awake(() => (this.cut || this.deaf ? undefined : resolve(result))),
          );
        });
      });
    });
  }

  async leave(scope: string, pod: string, deadlineMs: number): Promise<void> {
    if (!this.cut) await this.inner.leave(scope, pod, deadlineMs);
  }

  onEdge(scope: string, listener: (edge: Edge) => void): () => void {
    return this.inner.onEdge(scope, (edge) => {
      this.time.exactly(this.wireMs, () =>
        this.awake(() => (this.cut || this.edgesLost ? undefined : listener(edge))),
      );
    });
  }

  private send(message: Message, delayMs: number, deliver: () => void): void {
    if (this.intercept) this.intercept(message, deliver);
    else this.time.exactly(delayMs, deliver);
  }
}
