-- Version 9: what a person decides about messages that wait: batches, pauses, numbers that want nothing more.

ALTER TABLE messages ADD COLUMN batch INTEGER NOT NULL DEFAULT 0;  -- batches.id; 0: none
-- With the batch, so that those of a paused one are passed by without being read.
DROP INDEX messages_queued;
CREATE INDEX messages_queued ON messages (grp, level, batch, max(id, last_event)) WHERE state = 1;
CREATE INDEX messages_batch  ON messages (batch) WHERE batch <> 0;

-- The counts are those of its rows in messages, by state.
CREATE TABLE batches (
    id           INTEGER PRIMARY KEY,
    name         TEXT NOT NULL UNIQUE,
    created_at   INTEGER NOT NULL,
    paused_at    INTEGER,
    cancelled_at INTEGER,           -- it takes no more messages
    cancel_after INTEGER,           -- the last message looked at; null: none is left to cancel
    scheduled    INTEGER NOT NULL DEFAULT 0,
    queued       INTEGER NOT NULL DEFAULT 0,
    sending      INTEGER NOT NULL DEFAULT 0,
    uncertain    INTEGER NOT NULL DEFAULT 0,
    sent         INTEGER NOT NULL DEFAULT 0,
    delivered    INTEGER NOT NULL DEFAULT 0,
    undelivered  INTEGER NOT NULL DEFAULT 0,
    failed       INTEGER NOT NULL DEFAULT 0,
    expired      INTEGER NOT NULL DEFAULT 0,
    cancelled    INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX batches_held       ON batches (id) WHERE paused_at IS NOT NULL OR cancelled_at IS NOT NULL;
CREATE INDEX batches_cancelling ON batches (id) WHERE cancel_after IS NOT NULL;

-- As the table work, for messages that have a batch; rows of 0 are not kept.
CREATE TABLE batch_work (
    batch    INTEGER NOT NULL,
    grp      INTEGER NOT NULL,
    level    INTEGER NOT NULL,
    segments INTEGER NOT NULL,
    PRIMARY KEY (batch, grp, level)
) STRICT, WITHOUT ROWID;

-- Of the rack (scope 0, no name) and of groups (1); those of batches stand in batches.
CREATE TABLE pauses (
    scope INTEGER NOT NULL,
    name  TEXT NOT NULL,
    at    INTEGER NOT NULL,
    PRIMARY KEY (scope, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE opt_outs (
    number TEXT PRIMARY KEY,        -- normalised
    tail   TEXT NOT NULL,           -- its last 7 characters, which every way to write it has
    at     INTEGER NOT NULL,
    inbox  INTEGER NOT NULL         -- the answer that said so; 0: a person did
) STRICT, WITHOUT ROWID;
CREATE INDEX opt_outs_tail ON opt_outs (tail);
