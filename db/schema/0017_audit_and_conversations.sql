-- Version 17: what administrators did; who writes to the rack, and what was said last.
--
-- Programs from version 14 on use it as it is: they write no rows here. What comes in meanwhile from a new number has no conversation until that
-- number writes again.

-- A bounded number; those older than the messages that are kept go too.
CREATE TABLE audit (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    at     INTEGER NOT NULL,  -- when the call came
    caller TEXT NOT NULL,     -- "root", "uid 1004", or the name of a token
    call   TEXT NOT NULL,     -- "POST /v1/modems/m0/drain"; no body, no full number
    status INTEGER NOT NULL   -- of the answer
) STRICT;

-- One row for each number in the inbox; it goes with the last of them. Numbers that never wrote have none, so that accepting a message touches
-- nothing but this small table.
CREATE TABLE conversations (
    number   TEXT PRIMARY KEY,
    last     INTEGER NOT NULL,  -- id of the newest message, sent (messages) or received (inbox)
    sent     INTEGER NOT NULL,  -- messages to it, also those that were removed since
    received INTEGER NOT NULL   -- likewise
) STRICT, WITHOUT ROWID;
CREATE INDEX conversations_last ON conversations (last);
CREATE INDEX inbox_from ON inbox (from_addr);

INSERT INTO conversations (number, last, sent, received)
  SELECT from_addr, max(id), 0, count(*) FROM inbox WHERE from_addr <> '' AND substr(from_addr, -1) <> '*' GROUP BY from_addr;
UPDATE conversations SET sent = m.n, last = max(last, m.id)
  FROM (SELECT to_addr, count(*) AS n, max(id) AS id FROM messages
        WHERE client <> -1 AND to_addr IN (SELECT number FROM conversations) GROUP BY to_addr) m
  WHERE m.to_addr = number;
