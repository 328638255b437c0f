-- What operators have ordered and what holds now: one row a control, gone when it is lifted. Who did what when, lifted
-- ones included, is in audit.

CREATE TABLE lane_controls (
  -- lane-pause | scope-mode
  kind   text NOT NULL,
  -- The lane (`sms:P3`) or the scope (`sms-a`).
  name   text NOT NULL,
  -- `paused`, or the mode.
  value  text NOT NULL,
  reason text NOT NULL,
  -- Key id of who ordered it.
  actor  text NOT NULL,
  at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (kind, name)
);
