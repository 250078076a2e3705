-- Version 2: what is kept of an attempt that went wrong, and which PINs were entered.

-- For people: the dialogue with the modem, its answers to the questions afterwards. They go with their attempt.
CREATE TABLE attempt_notes (
    id      INTEGER PRIMARY KEY,
    attempt INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    kind    INTEGER NOT NULL,  -- the numbers of src/ports
    text    TEXT NOT NULL
) STRICT;
CREATE INDEX attempt_notes_attempt ON attempt_notes (attempt);

-- One row for each SIM and configured PIN. The PIN is not in it: value is a hash with a key that lies outside the database.
CREATE TABLE pin_tries (
    card          TEXT NOT NULL,     -- ICCID, or what stands in for it
    value         INTEGER NOT NULL,
    outcome       INTEGER NOT NULL,  -- 0: entered, and nothing was heard of it yet; 1: taken; 2: refused
    attempts_left INTEGER NOT NULL,  -- that the card had before the last try
    at            INTEGER NOT NULL,
    PRIMARY KEY (card, value)
) STRICT, WITHOUT ROWID;
