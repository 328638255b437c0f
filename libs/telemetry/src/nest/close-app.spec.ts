import { Module } from '@nestjs/common';
import { once } from 'node:events';
import { connect } from 'node:net';
import { silentLogger } from '../logger.js';
import { Readiness } from '../readiness.js';
import { createHttpApp } from './http-app.js';

@Module({})
class EmptyModule {}

it('closes although a client holds a connection on which it never asked anything', async () => {
  const parts = { logger: silentLogger, readiness: new Readiness(), metricsText: () => Promise.resolve('') };
  const app = await createHttpApp(EmptyModule, parts);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  socket.resume();
  await app.close();
  await closed;
}, 15_000);
