-- Version 11: one message once per number and topic.

-- Topics, and groups of topics ("group:" before their name), of each trigger.
CREATE TABLE trigger_topics (
    id        INTEGER PRIMARY KEY,
    of        TEXT NOT NULL,       -- name of the trigger
    name      TEXT NOT NULL,
    UNIQUE (of, name)
) STRICT;

-- The exact index. Small rows, some 27 octets each: there may be 40 million. No other index: what is too old is found by the walk
-- through all of them that a rebuild of the filters makes.
CREATE TABLE trigger_pairs (
    topic      INTEGER NOT NULL,   -- trigger_topics.id
    number     INTEGER NOT NULL,   -- E.164 digits
    claimed_at INTEGER NOT NULL,   -- UTC seconds
    state      INTEGER NOT NULL,   -- 0: claimed, 1: sent, 2: failed, 3: doubtful
    message    INTEGER NOT NULL,
    PRIMARY KEY (topic, number)
) STRICT, WITHOUT ROWID;

-- Where each trigger with a maximum a minute stands: how many messages fall due in the last minute that has any.
CREATE TABLE trigger_minutes (
    of       TEXT PRIMARY KEY,     -- name of the trigger
    minute   INTEGER NOT NULL,     -- since 1970
    messages INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

ALTER TABLE messages ADD COLUMN topic INTEGER NOT NULL DEFAULT 0;  -- trigger_topics.id; 0: not made by a trigger
