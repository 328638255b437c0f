import 'reflect-metadata';
import { runService } from '@commservice/telemetry';
import { ingestPlan } from './ingest-service.js';

void runService({ service: 'ingest-api', configure: () => ingestPlan(process.env) });
