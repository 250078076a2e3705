-- Version 25: where the clock was set, the times of what waits are moved in small steps, between other work.
--
-- Programs from version 14 on use it as it is. One that starts amid a walk (some seconds, after a kill) reads the times that were not
-- moved yet as they are; the next program that knows the walk continues it.

CREATE TABLE clock_walk (
    one        INTEGER PRIMARY KEY CHECK (one = 1),
    next       INTEGER NOT NULL,  -- messages below this id are still to be moved
    after      INTEGER NOT NULL,  -- what was dated after this ...
    until      INTEGER NOT NULL,  -- ... and up to this is moved
    shift      INTEGER NOT NULL,  -- by this, ms
    life_least INTEGER NOT NULL,  -- ms; a message with a shorter time to live stays
    lowest     INTEGER NOT NULL   -- no message below this id waits: the walk continues for pairs alone
) STRICT;

-- Messages below `next` that were moved already, since a command needed their times.
CREATE TABLE clock_walk_ahead (
    message INTEGER PRIMARY KEY
) STRICT;
