import 'reflect-metadata';
import { runService } from '@commservice/telemetry';
import { redrivePlan } from './redrive-service.js';

void runService({ service: 'dlq-redrive', configure: () => redrivePlan(process.env) });
