/** One listening port of the local platform. */
interface PortEntry {
  /** The environment variable that moves it. */
  readonly variable: string;
  readonly port: number;
  /** Who listens there, for people. */
  readonly owner: string;
}

/** Every port of `npm start`, in one table (design §4.4). sms-3 and sms-4 run in benches only. */
export const PORTS = {
  kafka: { variable: 'KAFKA_PORT', port: 19092, owner: 'Kafka' },
  kafkaController: { variable: 'KAFKA_CONTROLLER_PORT', port: 19093, owner: "Kafka's controller" },
  redis: { variable: 'REDIS_PORT', port: 16379, owner: 'Redis' },
  postgres: { variable: 'POSTGRES_PORT', port: 15432, owner: 'PostgreSQL' },
  sandbox: { variable: 'SANDBOX_PORT', port: 3900, owner: 'the provider sandbox' },
  'ingest-api': { variable: 'INGEST_API_PORT', port: 3000, owner: 'ingest-api' },
  'sms-1': { variable: 'SMS_1_PORT', port: 3011, owner: 'the first sms dispatcher' },
  'sms-2': { variable: 'SMS_2_PORT', port: 3111, owner: 'the second sms dispatcher' },
  'sms-3': { variable: 'SMS_3_PORT', port: 3211, owner: 'the third sms dispatcher' },
  'sms-4': { variable: 'SMS_4_PORT', port: 3311, owner: 'the fourth sms dispatcher' },
  'push-1': { variable: 'PUSH_PORT', port: 3012, owner: 'the push dispatcher' },
  'email-1': { variable: 'EMAIL_PORT', port: 3013, owner: 'the email dispatcher' },
  'messenger-1': { variable: 'MESSENGER_PORT', port: 3014, owner: 'the messenger dispatcher' },
  'dlq-redrive': { variable: 'DLQ_REDRIVE_PORT', port: 3020, owner: 'dlq-redrive' },
  'status-projector': { variable: 'STATUS_PROJECTOR_PORT', port: 3021, owner: 'status-projector' },
} as const satisfies Record<string, PortEntry>;

export type PortName = keyof typeof PORTS;
export type PlatformPorts = Readonly<Record<PortName, number>>;

export const PORT_NAMES = Object.keys(PORTS) as PortName[];

/** The ports of the table, with some of them moved. */
export function portsWith(moved: Partial<PlatformPorts> = {}): PlatformPorts {
  const fixed = Object.fromEntries(PORT_NAMES.map((name) => [name, PORTS[name].port])) as Record<
    PortName,
    number
  >;
  return { ...fixed, ...moved };
}
