-- Version 25: where the clock was set, the times of what waits are moved in small steps, between other work.
--
-- Programs from version 14 on use it as it is. While a walk is open they would read times that were not moved: until its end
-- schema_reader refuses them.

CREATE TABLE clock_walk (
    one        INTEGER PRIMARY KEY CHECK (one = 1),
    next       INTEGER NOT NULL,  -- messages below this id are still to be moved
    after      INTEGER NOT NULL,  -- what was dated after this ...
    until      INTEGER NOT NULL,  -- ... and up to this is moved
    shift      INTEGER NOT NULL,  -- by this, ms
    life_least INTEGER NOT NULL   -- ms; a message with a shorter time to live stays
) STRICT;

-- Messages below `next` that were moved already, since a command needed their times.
CREATE TABLE clock_walk_ahead (
    message INTEGER PRIMARY KEY
) STRICT;
