-- The read model of messages and the data keys that seal them.
--
-- Size. 301 million messages a month are about 10 million rows of `messages` and 40 million of `message_events` a day.
-- Message ids are UUIDv7, so rows arrive in key order and the primary keys grow at their right edge. Secondary indexes end
-- in `id` for the same reason: it is the order of acceptance, one column instead of (accepted_at, id).
-- Partitions. Not built at this size. When a month no longer fits, both tables become partitions of a parent
-- PARTITION BY RANGE (id | message_id): the id's first 48 bits are the time, so a day is a range of ids, primary keys stay as
-- they are, and retention becomes DETACH + DROP. The existing table is attached as the range up to its cut, without a rewrite.
-- A BRIN index on accepted_at would serve reports over days; no query of the platform needs it today.

CREATE TABLE data_keys (
  id            text PRIMARY KEY,
  brand         text NOT NULL,
  day           date NOT NULL,
  master_key_id text NOT NULL,
  wrapped       bytea NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now(),
  UNIQUE (brand, day)
);
CREATE INDEX data_keys_by_day ON data_keys (day);

CREATE TABLE messages (
  id               uuid PRIMARY KEY,
  generation       integer NOT NULL,
  status           text NOT NULL,
  status_rank      smallint NOT NULL,
  -- Position of the winning event: a larger one replaces the status (libs/postgres/src/messages/event-order.ts).
  status_order     bigint NOT NULL,
  status_at        timestamptz NOT NULL,
  -- Position of the event that named the account.
  route_order      bigint,
  priority         text NOT NULL,
  kind             text,
  team             text,
  channel          text,
  brand            text,
  category         text,
  reference        text,
  trace_id         text,
  campaign         text,
  units            integer,
  accepted_at      timestamptz,
  expires_at       timestamptz,
  metadata         jsonb,
  attempt          integer,
  account          text,
  provider_id      text,
  receipt_expected boolean,
  code             text,
  reason           text,
  updated_at       timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
CREATE INDEX messages_by_team ON messages (team, id DESC);
CREATE INDEX messages_by_reference ON messages (team, reference, id DESC) WHERE reference IS NOT NULL;
CREATE INDEX messages_by_trace ON messages (team, trace_id, id DESC) WHERE trace_id IS NOT NULL;
CREATE INDEX messages_by_status ON messages (team, status, id DESC);
-- The sweeper's questions. These hold few messages, so they stay small.
CREATE INDEX messages_never_sent ON messages (expires_at) WHERE status_rank < 4;
-- Messages that lost their trace: the imbalance, which must be none.
CREATE INDEX messages_swept ON messages (channel, priority) WHERE status = 'expired' AND code = 'swept';
CREATE INDEX messages_without_receipt ON messages (status_at) WHERE status = 'sent';

-- Everything that happened, one row per event. The key is a digest of the event, so a redelivered one adds nothing.
CREATE TABLE message_events (
  message_id  uuid NOT NULL,
  event_key   uuid NOT NULL,
  status      text NOT NULL,
  at          timestamptz NOT NULL,
  generation  integer NOT NULL,
  attempt     integer,
  account     text,
  provider_id text,
  code        text,
  reason      text,
  recorded_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (message_id, event_key)
);
