import { Client } from 'pg';
import {
  createTopics,
  freshDatabase,
  logSink,
  produceRaw,
  readAll,
  testServers,
  uniqueName,
  until,
} from './index.js';

describe('the testkit', () => {
  it('reads back every raw record of a topic, keyless and empty ones too', async () => {
    const topic = uniqueName('testkit');
    await createTopics([{ name: topic, partitions: 3 }]);
    await produceRaw(topic, [
      { key: 'a', value: 'one', headers: { 'x-cs-id': '1' }, partition: 0 },
      { value: 'two', partition: 2 },
      { key: 'b', value: null, partition: 2 },
    ]);

    const records = await readAll(topic);

    expect(records.map((r) => [r.partition, r.offset, r.key, r.value?.toString() ?? null])).toEqual([
      [0, 0, 'a', 'one'],
      [2, 0, null, 'two'],
      [2, 1, 'b', null],
    ]);
    expect(records[0]?.headers).toEqual({ 'x-cs-id': '1' });
  });

  it('answers at once for an empty topic', async () => {
    const topic = uniqueName('testkit');
    await createTopics([{ name: topic }]);
    expect(await readAll(topic)).toEqual([]);
  });

  it('gives each caller an empty database and removes it with open connections', async () => {
    const database = await freshDatabase();
    const client = new Client(database.url);
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ tables: string }>(
      `SELECT count(*) AS tables FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    expect(rows).toEqual([{ tables: '0' }]);

    await database.drop();

    await expect(new Client(database.url).connect()).rejects.toThrow(/does not exist/);
    await client.end().catch(() => undefined);
  });

  it('hands the same servers to every caller', async () => {
    expect(await testServers()).toEqual(await testServers());
  });

  it('keeps the lines of its logger in memory', async () => {
    const sink = logSink();
    sink.logger.info({ id: 'm-1' }, 'accepted');
    const line = await until(() => sink.at('info')[0], { describe: 'the line' });
    expect(line).toMatchObject({ msg: 'accepted', id: 'm-1', service: 'test' });
  });
});
