-- Version 13: since when times are those of the clock as it goes now. What is older may be dated later.

CREATE TABLE clock_set (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    at      INTEGER NOT NULL,  -- by the clock as it goes now
    message INTEGER NOT NULL,  -- the newest id of each table then
    attempt INTEGER NOT NULL,
    event   INTEGER NOT NULL,
    inbox   INTEGER NOT NULL
) STRICT;
