-- Version 3: what each SIM has sent of late, for its quotas.
-- Unit: segments begun. Counted only for SIMs that have a quota.

-- Minute and hour are 61 buckets of 4 octets (little endian) each; *_at is the number of the newest bucket.
CREATE TABLE sim_usage (
    sim        INTEGER PRIMARY KEY,
    minute_at  INTEGER NOT NULL,
    minute     BLOB NOT NULL,
    hour_at    INTEGER NOT NULL,
    hour       BLOB NOT NULL,
    day        INTEGER NOT NULL,  -- of the SIM's zone, since 1970-01-01
    day_used   INTEGER NOT NULL,
    month      INTEGER NOT NULL,  -- of the SIM's zone: 12 * year + month, from 0
    month_used INTEGER NOT NULL,
    recipients INTEGER NOT NULL   -- distinct ones of the month
) STRICT;

-- Whom a SIM has sent to in a month, by hash of the number. Only for SIMs with a quota of recipients, which bounds it.
CREATE TABLE sim_recipients (
    sim       INTEGER NOT NULL,
    month     INTEGER NOT NULL,
    recipient INTEGER NOT NULL,
    PRIMARY KEY (sim, month, recipient)
) STRICT, WITHOUT ROWID;
