import { connect } from 'amqplib';
import { BenchFault } from '../../fault.js';
import type { PeerMessage } from '../peers/peer-settings.js';
import { publishOptions, RABBIT_QUEUE } from '../peers/rabbit-settings.js';
import type { Writer } from './writer.js';

/** Publishes each message to one RabbitMQ queue and waits for the broker's confirmation. */
export async function openRabbitWriter(url: string, queue: string): Promise<Writer<PeerMessage>> {
  const connection = await connect(url);
  connection.on('error', () => undefined); // what matters rejects in `write`
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue(queue, RABBIT_QUEUE);
  return {
    write: (priority, message) =>
      new Promise((resolve, reject) => {
        const done = (error: unknown): void => {
          if (error) reject(new BenchFault(`A ${priority} was not confirmed by RabbitMQ.`));
          else resolve();
        };
        channel.sendToQueue(queue, Buffer.from(JSON.stringify(message)), publishOptions(priority), done);
      }),
    close: () => connection.close(),
  };
}
