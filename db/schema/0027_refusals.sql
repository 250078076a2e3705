-- Version 27: how often the operator's rules refused messages of a client.
--
-- Programs from version 14 on use it as it is: what they refuse has no row.

-- Rows older than keep_days go, and the oldest beyond refusal_rows_max (src/ports/refusals.hpp).
CREATE TABLE refusals (
    day      INTEGER NOT NULL,  -- since 1970-01-01, UTC
    client   TEXT NOT NULL,     -- name; '': none
    owner    INTEGER NOT NULL,  -- account, where client is ''; 0: the rack's own
    rule     TEXT NOT NULL,     -- "premium"
    count    INTEGER NOT NULL,  -- submits
    first_at INTEGER NOT NULL,
    last_at  INTEGER NOT NULL,
    PRIMARY KEY (day, client, owner, rule)
) STRICT, WITHOUT ROWID;
