-- Version 31: the engine of a fleet, and reports for other boxes. Without [cluster] there is no row.
--
-- Programs from version 14 on use it as it is while the box is in no fleet.

-- One row at most: the engine that this box has its seat in, so that one that has forgotten something is known.
CREATE TABLE fleet_engine (
    name  TEXT PRIMARY KEY,
    life  TEXT NOT NULL,
    beats INTEGER NOT NULL   -- of this box, that were answered
) STRICT, WITHOUT ROWID;

-- One row at most: up to which number of `reports` other boxes got what has no message here.
CREATE TABLE fleet_reports_place (
    number INTEGER PRIMARY KEY
) STRICT;
