-- Version 7: how much work waits, without counting rows.

-- Segments of the messages that are queued or sending, by group and level: what somebody who comes now would wait for.
CREATE TABLE work (
    grp      INTEGER NOT NULL,
    level    INTEGER NOT NULL,
    segments INTEGER NOT NULL,
    PRIMARY KEY (grp, level)
) STRICT, WITHOUT ROWID;
INSERT INTO work SELECT grp, level, sum(segments) FROM messages WHERE state IN (1, 2) GROUP BY grp, level;
