-- Version 10: who brought a message, and how far each of them has taken its results; which SIM a recipient knows.

-- A name is one client's; where its old sessions were made void, the row with void_at stays for as long as messages name it.
CREATE TABLE clients (
    id         INTEGER PRIMARY KEY,  -- of the one sequence (head)
    name       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL,     -- when it came or acknowledged last
    cursor     INTEGER NOT NULL,     -- it has taken all its events up to this one
    buffered   INTEGER NOT NULL,     -- its events behind the cursor
    waiting    INTEGER NOT NULL,     -- its messages scheduled, queued, sending or uncertain
    lost       INTEGER NOT NULL,     -- events that were removed for their age before it took them
    blocked_at INTEGER,
    void_at    INTEGER
) STRICT;
CREATE UNIQUE INDEX clients_name ON clients (name) WHERE void_at IS NULL;

ALTER TABLE messages ADD COLUMN client INTEGER NOT NULL DEFAULT 0;  -- clients.id; 0: it named none
ALTER TABLE events   ADD COLUMN client INTEGER NOT NULL DEFAULT 0;  -- of its message
-- Only for messages of clients: those of nobody cost nothing.
CREATE INDEX messages_client ON messages (client, id) WHERE client <> 0;
CREATE INDEX events_client   ON events (client, seq) WHERE client <> 0;

-- The SIM that sent the last message of a sticky route to this recipient (hash of the number).
CREATE TABLE recipient_sims (
    recipient INTEGER PRIMARY KEY,
    sim       INTEGER NOT NULL,
    at        INTEGER NOT NULL
) STRICT;
CREATE INDEX recipient_sims_at ON recipient_sims (at);
