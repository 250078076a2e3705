-- Version 18: the history of the rack, by the minute and later by the hour.
--
-- Programs from version 14 on use it as it is: the minutes that they run have no rows.

-- A minute in which nothing happened has no row. Minutes become rows of their hour after two days, hours go after keep_days.
CREATE TABLE history (
    span     INTEGER NOT NULL,  -- 0: an hour, 1: a minute
    at       INTEGER NOT NULL,  -- minute since 1970-01-01T00Z with which it begins
    line     TEXT NOT NULL,     -- '': the rack
    sent     INTEGER NOT NULL,
    failed   INTEGER NOT NULL,
    received INTEGER NOT NULL,
    waiting  INTEGER,           -- queued messages at its end; of the rack alone
    signal   INTEGER,           -- dBm, the last; 0: the modem reported none; null: as before
    PRIMARY KEY (span, at, line)
) STRICT, WITHOUT ROWID;
