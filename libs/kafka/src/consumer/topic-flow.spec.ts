import type { Consumer } from 'kafkajs';
import { TopicFlow } from './topic-flow.js';

/** As kafkajs: takes nothing before it runs, and forgets all pauses with the consumer. */
function consumerOf() {
  const paused = new Set<string>();
  const state = { running: false, broken: false };
  const check = (): void => {
    if (state.broken) throw new Error('something else');
    if (!state.running)
      throw new Error('Consumer group was not initialized, consumer#run must be called first');
  };
  const consumer = {
    pause: ([{ topic }]: [{ topic: string }]) => (check(), paused.add(topic)),
    resume: ([{ topic }]: [{ topic: string }]) => (check(), paused.delete(topic)),
  } as unknown as Consumer;
  return { consumer, paused, state };
}

describe('TopicFlow', () => {
  it('stops while its consumer is being built, and fetches nothing once that one has joined', () => {
    const { consumer, paused, state } = consumerOf();
    const flow = new TopicFlow(['a', 'b']);
    flow.use(consumer);
    expect(() => flow.stop()).not.toThrow();
    state.running = true;
    flow.begin(true);
    flow.resume('a');
    expect([...paused]).toEqual(['a', 'b']);
  });

  it('takes a pause and a resume while its consumer is being built', () => {
    const { consumer, paused, state } = consumerOf();
    const flow = new TopicFlow(['a', 'b']);
    flow.use(consumer);
    flow.pause('a');
    flow.resume('a');
    state.running = true;
    flow.begin(false);
    expect([...paused]).toEqual(['a', 'b']);
    flow.resume('a');
    expect([...paused]).toEqual(['b']);
  });

  it('hides no other fault of its consumer', () => {
    const { consumer, state } = consumerOf();
    state.broken = true;
    const flow = new TopicFlow(['a']);
    flow.use(consumer);
    expect(() => flow.pause('a')).toThrow('something else');
  });
});
