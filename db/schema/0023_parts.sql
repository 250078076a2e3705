-- Version 23: parts of longer messages that their clients have cut themselves.
--
-- Programs from version 14 on use it as it is: what waits for its siblings, or for the part before it, waits there until its time is over; a part
-- that they send has no header, so it is a message of its own on the phone.

-- The parts of one message: those with one key, of one client to one number. Number and key go when it takes no more parts.
CREATE TABLE part_sets (
    id       INTEGER PRIMARY KEY,  -- of the one sequence (head)
    open     INTEGER NOT NULL,     -- 1: it takes more parts
    client   INTEGER NOT NULL,     -- clients.id; 0: none
    owner    INTEGER NOT NULL,     -- account
    to_addr  TEXT NOT NULL,
    key      TEXT NOT NULL,
    total    INTEGER NOT NULL,
    came     INTEGER NOT NULL,     -- parts so far
    begun_at INTEGER NOT NULL,     -- when the first came
    grp      INTEGER NOT NULL,     -- of the first part, and so of all
    ref      INTEGER,              -- on the air, chosen here; null: no part was begun
    sim      INTEGER NOT NULL      -- that sent the last part; 0: none
) STRICT;
CREATE INDEX part_sets_open ON part_sets (to_addr, key) WHERE open = 1;

ALTER TABLE messages ADD COLUMN part_set INTEGER;  -- part_sets.id; null: it is no part
ALTER TABLE messages ADD COLUMN part INTEGER;      -- total * 256 + number
ALTER TABLE messages ADD COLUMN elements BLOB;     -- further ones of the user data header
ALTER TABLE messages ADD COLUMN pid INTEGER;       -- TP-PID; null: 0
-- Only for parts: other messages cost nothing.
CREATE INDEX messages_parts ON messages (part_set, part) WHERE part_set IS NOT NULL;
