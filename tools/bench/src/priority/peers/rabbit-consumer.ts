import { connect } from 'amqplib';
import { BenchFault } from '../../fault.js';
import type { PeerMessage, PeerSettings } from './peer-settings.js';
import type { ProviderCall } from './provider-call.js';
import { PREFETCH, RABBIT_QUEUE } from './rabbit-settings.js';

/** One RabbitMQ consumer: what is prefetched is sent at once, and acknowledged when it is done. Resolves when it consumes. */
export async function startRabbitConsumer(
  { rabbit, topics }: PeerSettings,
  call: ProviderCall,
): Promise<void> {
  if (rabbit === undefined) throw new BenchFault('This peer was given no RabbitMQ.');
  const connection = await connect(rabbit);
  const channel = await connection.createChannel();
  await channel.assertQueue(topics.P1, RABBIT_QUEUE);
  await channel.prefetch(PREFETCH);
  await channel.consume(topics.P1, (delivery) => {
    if (!delivery) return;
    // a call ends only when the provider has taken the message
    void call.send(JSON.parse(delivery.content.toString()) as PeerMessage).then(() => channel.ack(delivery));
  });
}
