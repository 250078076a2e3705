-- Version 12: how long each trigger keeps its pairs, also when the configuration does not have it any more.

CREATE TABLE trigger_days (
    of        TEXT PRIMARY KEY,    -- name of the trigger
    retain_s  INTEGER NOT NULL     -- as the configuration said last
) STRICT, WITHOUT ROWID;
