-- Version 1: everything a rack keeps.
-- Unit: times are UTC milliseconds; states, outcomes and kinds are the numbers of src/sms.

-- One sequence numbers messages, events, attempts, inbox rows and segments received: what is newer has the higher
-- number, and no number is used twice, whatever was removed. The counts are those of messages by state, and of the
-- queued ones by level.
CREATE TABLE head (
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    sequence    INTEGER NOT NULL,
    scheduled   INTEGER NOT NULL,
    queued      INTEGER NOT NULL,
    sending     INTEGER NOT NULL,
    uncertain   INTEGER NOT NULL,
    sent        INTEGER NOT NULL,
    delivered   INTEGER NOT NULL,
    undelivered INTEGER NOT NULL,
    failed      INTEGER NOT NULL,
    expired     INTEGER NOT NULL,
    cancelled   INTEGER NOT NULL,
    queued_0    INTEGER NOT NULL,
    queued_1    INTEGER NOT NULL,
    queued_2    INTEGER NOT NULL,
    queued_3    INTEGER NOT NULL,
    queued_4    INTEGER NOT NULL,
    queued_5    INTEGER NOT NULL,
    queued_6    INTEGER NOT NULL
) STRICT;
INSERT INTO head VALUES (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

CREATE TABLE groups (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE sims (
    id    INTEGER PRIMARY KEY,
    iccid TEXT NOT NULL UNIQUE,  -- "imsi:..." where the card tells no ICCID
    imsi  TEXT NOT NULL
) STRICT;

-- The row is its own first event too (seq = id, at = created_at): accepting a message writes one row.
CREATE TABLE messages (
    id           INTEGER PRIMARY KEY,
    state        INTEGER NOT NULL,
    level        INTEGER NOT NULL,
    grp          INTEGER NOT NULL,
    segments     INTEGER NOT NULL,
    flags        INTEGER NOT NULL,           -- 1: report asked, 2: body is octets, 4: was scheduled at first
    waiting      INTEGER NOT NULL,           -- 1: scheduled, queued or sending, so expires_at counts
    to_addr      TEXT NOT NULL,
    body         ANY NOT NULL,               -- UTF-8, or octets
    ref          TEXT,
    fingerprint  INTEGER NOT NULL,
    text_hash    INTEGER,                    -- only while the duplicate window is on
    class        INTEGER,
    ports        INTEGER,                    -- dst * 65536 + src
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    due_at       INTEGER,
    attempts     INTEGER NOT NULL DEFAULT 0,
    failures     INTEGER NOT NULL DEFAULT 0,
    concat_ref   INTEGER,
    sim          INTEGER NOT NULL DEFAULT 0, -- that the network took a segment from; 0: none
    in_hand      INTEGER NOT NULL DEFAULT 0, -- 1: an attempt is open
    partial      INTEGER NOT NULL DEFAULT 0,
    cause_kind   INTEGER NOT NULL DEFAULT 0,
    cause_code   INTEGER NOT NULL DEFAULT 0,
    detail       TEXT,
    modem        TEXT,
    last_event   INTEGER NOT NULL DEFAULT 0, -- events.seq, whose prev leads to the ones before; 0: none but the first
    last_attempt INTEGER NOT NULL DEFAULT 0  -- attempts.id, likewise
) STRICT;
-- Each is written at its end as messages come, or small: no index on random keys while a message is accepted.
CREATE INDEX messages_queued    ON messages (grp, level) WHERE state = 1;
CREATE INDEX messages_scheduled ON messages (due_at) WHERE state = 0;
CREATE INDEX messages_sending   ON messages (due_at) WHERE state = 2;
CREATE INDEX messages_uncertain ON messages (due_at) WHERE state = 3;
CREATE INDEX messages_ended     ON messages (state) WHERE state >= 4;
CREATE INDEX messages_expiring  ON messages (expires_at) WHERE waiting = 1;

-- Made with the first attempt of a message.
CREATE TABLE segments (
    message     INTEGER NOT NULL,
    idx         INTEGER NOT NULL,            -- from 0
    state       INTEGER NOT NULL,
    attempt     INTEGER NOT NULL DEFAULT 0,  -- the newest one; an older one changes nothing any more
    tp_mr       INTEGER,
    tp_status   INTEGER,
    reported_at INTEGER,
    PRIMARY KEY (message, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE attempts (
    id         INTEGER PRIMARY KEY,
    message    INTEGER NOT NULL,
    number     INTEGER NOT NULL,  -- from 1, over the whole message
    segment    INTEGER NOT NULL,
    modem      TEXT NOT NULL,
    sim        INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER,
    outcome    INTEGER NOT NULL,
    tp_mr      INTEGER,
    cause_kind INTEGER NOT NULL DEFAULT 0,
    cause_code INTEGER NOT NULL DEFAULT 0,
    pending    INTEGER,           -- 0: open, 1: its segment is uncertain by it, 2: so too, found open at the last start
    report_ref INTEGER,           -- tp_mr where a report was asked for
    prev       INTEGER NOT NULL   -- the attempt before, of the same message
) STRICT;
CREATE INDEX attempts_pending  ON attempts (pending, sim) WHERE pending IS NOT NULL;
CREATE INDEX attempts_reported ON attempts (sim, report_ref) WHERE report_ref IS NOT NULL;

-- Every move but the first of each message.
CREATE TABLE events (
    seq        INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    type       INTEGER NOT NULL,
    message    INTEGER NOT NULL,
    inbox      INTEGER NOT NULL,
    state      INTEGER NOT NULL,
    modem      TEXT,
    segment    INTEGER NOT NULL,
    attempt    INTEGER NOT NULL,
    cause_kind INTEGER NOT NULL,
    cause_code INTEGER NOT NULL,
    detail     TEXT,
    prev       INTEGER NOT NULL   -- the event before, of the same message; 0: its first
) STRICT;

CREATE TABLE reports (
    id          INTEGER PRIMARY KEY,
    fingerprint BLOB NOT NULL UNIQUE,
    modem       TEXT NOT NULL,
    sim         INTEGER NOT NULL,
    tp_mr       INTEGER NOT NULL,
    recipient   TEXT NOT NULL,
    scts        INTEGER,
    discharge   INTEGER,
    tp_status   INTEGER NOT NULL,
    raw         BLOB NOT NULL,
    received_at INTEGER NOT NULL,
    attempt     INTEGER           -- that it speaks of; null: not known, or not yet
) STRICT;
CREATE INDEX reports_unmatched ON reports (sim, tp_mr) WHERE attempt IS NULL;

CREATE TABLE inbound_segments (
    id          INTEGER PRIMARY KEY,
    fingerprint BLOB NOT NULL UNIQUE,
    inbox       INTEGER,          -- null: its message is not whole yet
    assembly    INTEGER NOT NULL, -- id of the first segment kept of the same message
    modem       TEXT NOT NULL,
    sim         INTEGER NOT NULL,
    own_number  TEXT NOT NULL,
    from_addr   TEXT NOT NULL,
    scts        INTEGER,
    scts_text   TEXT NOT NULL,
    kind        INTEGER NOT NULL,
    payload     BLOB NOT NULL,
    ref         INTEGER,
    ref_bits    INTEGER,
    total       INTEGER NOT NULL,
    seq         INTEGER NOT NULL,
    class       INTEGER,
    raw         BLOB NOT NULL,
    received_at INTEGER NOT NULL
) STRICT;
CREATE INDEX inbound_segments_waiting ON inbound_segments (sim, from_addr, ref) WHERE inbox IS NULL;
CREATE INDEX inbound_segments_inbox   ON inbound_segments (inbox) WHERE inbox IS NOT NULL;

CREATE TABLE inbox (
    id          INTEGER PRIMARY KEY,
    from_addr   TEXT NOT NULL,
    to_addr     TEXT NOT NULL,
    modem       TEXT NOT NULL,
    sim         INTEGER NOT NULL,
    content     ANY NOT NULL,     -- UTF-8, or octets
    scts_text   TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    segments    INTEGER NOT NULL,
    incomplete  INTEGER NOT NULL,
    undecodable INTEGER NOT NULL,
    class       INTEGER,
    reply_to    INTEGER NOT NULL
) STRICT;

-- Hash -> message id, written in sorted runs, each of some thousand messages: a lookup asks run after run, and
-- writing costs the same however large the store is. What is newer than the last run stands in memory.
CREATE TABLE hash_runs (
    run       INTEGER PRIMARY KEY,
    last_id   INTEGER NOT NULL,   -- of the newest message in it
    newest_at INTEGER NOT NULL,
    done      INTEGER NOT NULL,   -- 0: its entries are not all written yet
    filter    BLOB NOT NULL       -- Bloom filter of its entries
) STRICT;
CREATE TABLE hash_entries (
    run  INTEGER NOT NULL,
    kind INTEGER NOT NULL,        -- 0: ref, 1: recipient, 2: text
    hash INTEGER NOT NULL,
    id   INTEGER NOT NULL,
    PRIMARY KEY (run, kind, hash, id)
) STRICT, WITHOUT ROWID;
