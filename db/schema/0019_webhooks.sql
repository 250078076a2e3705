-- Version 19: webhooks: how far each is in the event log; what was sent, waits, or is dead.
--
-- Programs from version 14 on use it as it is: they send nothing, and a later program resumes from the cursors.

CREATE TABLE webhooks (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    name       TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    cursor     INTEGER NOT NULL,  -- each event up to this one has a row in deliveries, or is not wanted
    state      INTEGER NOT NULL,  -- 0: open, 1: failing, 2: off
    failures   INTEGER NOT NULL,  -- in a row
    changed_at INTEGER NOT NULL,  -- of the state
    reason     TEXT NOT NULL,     -- why it is failing or off, in words
    paused_until INTEGER,         -- the receiver asked for it (Retry-After)
    keep_days  INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL   -- a configuration named it
) STRICT;

-- A row is written before the event is sent for the first time.
CREATE TABLE deliveries (
    webhook    INTEGER NOT NULL,
    event      INTEGER NOT NULL,  -- events.seq or messages.id
    state      INTEGER NOT NULL,  -- 0: waiting, 1: delivered, 2: dead
    thing      INTEGER NOT NULL,  -- message or inbox row, whose events go in order; 0: none
    type       TEXT NOT NULL,
    at         INTEGER NOT NULL,  -- of the event
    attempts   INTEGER NOT NULL,
    tries      INTEGER NOT NULL,  -- attempts since it was written or replayed
    first_at   INTEGER,           -- of the first of those
    next_at    INTEGER,           -- null: it has ended, or an earlier event of its thing waits
    changed_at INTEGER NOT NULL,
    body       TEXT,              -- null once it was delivered, or made anonymous
    PRIMARY KEY (webhook, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_waiting ON deliveries (webhook, next_at) WHERE state = 0;
CREATE INDEX deliveries_retries ON deliveries (webhook, next_at) WHERE state = 0 AND tries > 0;
CREATE INDEX deliveries_backlog ON deliveries (webhook, event) WHERE state = 0;
CREATE INDEX deliveries_ended   ON deliveries (webhook, changed_at) WHERE state <> 0;
CREATE INDEX deliveries_dead    ON deliveries (webhook, event) WHERE state = 2;
CREATE INDEX deliveries_bodies  ON deliveries (at) WHERE state = 2 AND body IS NOT NULL;
CREATE INDEX deliveries_things  ON deliveries (webhook, thing) WHERE thing <> 0;

CREATE TABLE delivery_attempts (
    webhook INTEGER NOT NULL,
    event   INTEGER NOT NULL,
    attempt INTEGER NOT NULL,  -- from 1
    at      INTEGER NOT NULL,  -- when it began, by the gate's clock
    ms      INTEGER NOT NULL,
    status  INTEGER NOT NULL,  -- of HTTP; 0: there was no answer
    error   TEXT NOT NULL,     -- in words; empty: there was an answer
    answer  TEXT NOT NULL,     -- its first printable characters
    PRIMARY KEY (webhook, event, attempt)
) STRICT, WITHOUT ROWID;
