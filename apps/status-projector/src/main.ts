import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { runService } from '@commservice/telemetry';
import { readConfig } from './config.js';
import { Projector } from './projector.js';

@Module({})
class StatusProjectorModule {}

void runService({
  service: 'status-projector',
  configure: () => {
    const config = readConfig(process.env);
    return {
      ...{
        pod: config.POD,
        host: config.HOST,
        port: config.PORT,
        logLevel: config.LOG_LEVEL,
        build: config.BUILD,
      },
      module: () => StatusProjectorModule,
      afterListen: (_app, runtime) => new Projector(config, runtime).start(),
    };
  },
});
