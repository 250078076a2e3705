-- Version 17: what administrators did.
--
-- Programs from version 14 on use it as it is: they write no rows here.

-- A bounded number; those older than the messages that are kept go too.
CREATE TABLE audit (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    at     INTEGER NOT NULL,  -- when the call came
    caller TEXT NOT NULL,     -- "root", "uid 1004", or the name of a token
    call   TEXT NOT NULL,     -- "POST /v1/modems/m0/drain"; no body, no full number
    status INTEGER NOT NULL   -- of the answer
) STRICT;
