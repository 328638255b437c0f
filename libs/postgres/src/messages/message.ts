import type { Channel, Priority, Status } from '@commservice/contracts';

/** One message as the read model knows it. Times in epoch ms. */
export interface StoredMessage {
  readonly id: string;
  readonly team: string;
  readonly channel: Channel;
  readonly brand: string;
  readonly category: string;
  readonly priority: Priority;
  readonly kind: 'message' | 'heartbeat';
  readonly status: Status;
  readonly statusAt: number;
  /** Redrive generation of the status; 0 until a dead letter is replayed. */
  readonly generation: number;
  readonly reference?: string;
  readonly traceId?: string;
  readonly campaign?: string;
  readonly units?: number;
  readonly acceptedAt?: number;
  readonly expiresAt?: number;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly attempt?: number;
  readonly account?: string;
  readonly providerId?: string;
  readonly receiptExpected?: boolean;
  readonly code?: string;
  readonly reason?: string;
}

/** One thing that happened to a message. */
export interface StoredEvent {
  readonly status: Status;
  readonly at: number;
  readonly generation: number;
  readonly attempt?: number;
  readonly account?: string;
  readonly providerId?: string;
  readonly code?: string;
  readonly reason?: string;
}

/** A message whose status an `apply` moved. `team` is absent while only a receipt is known of it. */
export interface ChangedMessage {
  readonly id: string;
  readonly team?: string;
  readonly priority: Priority;
  readonly status: Status;
  readonly generation: number;
  readonly statusAt: number;
}
