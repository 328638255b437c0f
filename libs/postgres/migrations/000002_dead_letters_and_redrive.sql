-- The dead-letter index (metadata only, never a payload), redrive jobs and the audit trail.

CREATE TABLE dead_letters (
  id                 text PRIMARY KEY,
  -- Where the dead letter lies.
  topic              text NOT NULL,
  partition          integer NOT NULL,
  record_offset      bigint NOT NULL,
  -- dead | redriving | redriven | expired | gone | parked | unreadable
  state              text NOT NULL,
  -- The lane it came from and goes back to.
  lane_topic         text NOT NULL,
  channel            text,
  brand              text,
  priority           text,
  -- Where it failed.
  original_topic     text,
  original_partition integer,
  original_offset    bigint,
  original_group     text,
  delivery_count     integer,
  message_id         text,
  trace_id           text,
  expires_at         timestamptz,
  generation         integer NOT NULL DEFAULT 0,
  stage              text,
  class              text,
  code               text,
  fingerprint        text,
  disposition        text,
  detail             text,
  attempts           integer,
  account            text,
  build              text,
  failed_at          timestamptz NOT NULL,
  original_at        timestamptz,
  value_bytes        integer NOT NULL,
  -- Why the headers could not be read; null when they could.
  fault              text,
  redrive_job        uuid,
  redriven_at        timestamptz,
  indexed_at         timestamptz NOT NULL DEFAULT now()
);
-- Not unique: a topic that was made anew counts from 0 again. Whoever reads a record there compares its id.
CREATE INDEX dead_letters_by_place ON dead_letters (topic, partition, record_offset);
CREATE INDEX dead_letters_claimed ON dead_letters (redrive_job) WHERE state = 'redriving';
CREATE INDEX dead_letters_by_time ON dead_letters (failed_at DESC, id DESC);
CREATE INDEX dead_letters_by_state ON dead_letters (state, failed_at DESC, id DESC);
CREATE INDEX dead_letters_by_fingerprint ON dead_letters (fingerprint, failed_at DESC, id DESC);
CREATE INDEX dead_letters_by_topic ON dead_letters (topic, failed_at DESC, id DESC);
CREATE INDEX dead_letters_by_lane ON dead_letters (lane_topic, failed_at DESC, id DESC);
CREATE INDEX dead_letters_by_lane_parts ON dead_letters (channel, priority, brand, failed_at DESC, id DESC);
CREATE INDEX dead_letters_by_cause ON dead_letters (class, code, failed_at DESC, id DESC);
CREATE INDEX dead_letters_by_code ON dead_letters (code, failed_at DESC, id DESC);
CREATE INDEX dead_letters_by_message ON dead_letters (message_id);

CREATE TABLE redrive_jobs (
  id                  uuid PRIMARY KEY,
  requested_by        text NOT NULL,
  idempotency_key     text NOT NULL,
  -- SHA-256 of the canonical request: the same key with another request is refused.
  request_digest      text NOT NULL,
  reason              text NOT NULL,
  selector            jsonb NOT NULL,
  rate_per_second     integer NOT NULL CHECK (rate_per_second BETWEEN 1 AND 500),
  -- planned | running | cancelling | cancelled | completed
  state               text NOT NULL,
  selected            integer NOT NULL,
  produced            integer NOT NULL DEFAULT 0,
  skipped_expired     integer NOT NULL DEFAULT 0,
  skipped_gone        integer NOT NULL DEFAULT 0,
  skipped_redriven    integer NOT NULL DEFAULT 0,
  skipped_unreadable  integer NOT NULL DEFAULT 0,
  created_at          timestamptz NOT NULL DEFAULT now(),
  started_at          timestamptz,
  finished_at         timestamptz,
  UNIQUE (requested_by, idempotency_key)
);
CREATE INDEX redrive_jobs_by_time ON redrive_jobs (created_at DESC, id DESC);
CREATE INDEX redrive_jobs_open ON redrive_jobs (created_at) WHERE state IN ('planned', 'running', 'cancelling');

-- The frozen set of a job and what became of each item.
CREATE TABLE redrive_items (
  job_id         uuid NOT NULL REFERENCES redrive_jobs (id),
  position       integer NOT NULL,
  dead_letter_id text NOT NULL,
  -- pending | produced | skipped
  state          text NOT NULL DEFAULT 'pending',
  -- expired | gone | already_redriven | unreadable
  skip_reason    text,
  settled_at     timestamptz,
  PRIMARY KEY (job_id, position)
);
CREATE INDEX redrive_items_pending ON redrive_items (job_id, position) WHERE state = 'pending';

CREATE TABLE audit (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at       timestamptz NOT NULL DEFAULT now(),
  -- Key id of who did it; `system` for the platform itself.
  actor    text NOT NULL,
  action   text NOT NULL,
  target   text,
  selector jsonb,
  reason   text,
  result   jsonb
);
CREATE INDEX audit_by_target ON audit (target, id DESC);

CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit trail is append-only';
END
$$;
CREATE TRIGGER audit_no_change BEFORE UPDATE OR DELETE ON audit
  FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
