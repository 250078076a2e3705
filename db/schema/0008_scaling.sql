-- Version 8: traffic by the hour, decisions of the scaling controller, lines blocked by a person.

-- Outlives the messages themselves (keep_days): what is expected at this hour is read from it.
CREATE TABLE traffic (
    hour     INTEGER PRIMARY KEY, -- since 1970-01-01T00Z
    accepted INTEGER NOT NULL,
    sent     INTEGER NOT NULL
) STRICT;

-- A bounded number; the newest stay.
CREATE TABLE scaling_decisions (
    id        INTEGER PRIMARY KEY,
    at        INTEGER NOT NULL,
    n         INTEGER NOT NULL,
    x         INTEGER NOT NULL,
    y         INTEGER NOT NULL,
    rules     TEXT NOT NULL,    -- "1,crash,early"
    words     TEXT NOT NULL,
    line      TEXT NOT NULL,    -- that was parked or unparked
    load      INTEGER NOT NULL, -- messages in 1,000 s, as are the next two
    node_rate INTEGER NOT NULL,
    forecast  INTEGER,
    samples   INTEGER NOT NULL,
    rule1     INTEGER NOT NULL, -- samples that spoke for it
    rule2     INTEGER NOT NULL,
    rule3     INTEGER NOT NULL,
    rule4     INTEGER NOT NULL,
    rule5     INTEGER NOT NULL,
    crashed   INTEGER NOT NULL
) STRICT;

CREATE TABLE blocked_lines (
    name  TEXT PRIMARY KEY,
    since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
