-- Version 15: a received PDU is known again by where the modem holds it, not by its content alone; reports find attempts without a TP-MR.
--
-- Programs from version 14 on use it as it is: they keep equal content once, and their rows have no place.

CREATE TABLE inbound_segments_15 (
    id           INTEGER PRIMARY KEY,
    fingerprint  BLOB NOT NULL,
    inbox        INTEGER,          -- null: its message is not whole yet; 0: in no inbox, such as a silent one
    assembly     INTEGER NOT NULL, -- id of the first segment kept of the same message
    modem        TEXT NOT NULL,
    sim          INTEGER NOT NULL,
    own_number   TEXT NOT NULL,
    from_addr    TEXT NOT NULL,
    scts         INTEGER,
    scts_text    TEXT NOT NULL,
    kind         INTEGER NOT NULL,
    payload      BLOB NOT NULL,
    ref          INTEGER,
    ref_bits     INTEGER,
    total        INTEGER NOT NULL,
    seq          INTEGER NOT NULL,
    class        INTEGER,
    raw          BLOB NOT NULL,
    received_at  INTEGER NOT NULL,
    pid          INTEGER NOT NULL DEFAULT 0,
    ports        INTEGER,
    waiting      INTEGER,
    place        INTEGER,          -- memory * 65536 + index, where the modem holds it; null: nowhere any more
    read_at      INTEGER,          -- when it was read there the last time; null: when it was received
    maybe_repeat INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO inbound_segments_15 (id, fingerprint, inbox, assembly, modem, sim, own_number, from_addr, scts, scts_text, kind, payload, ref, ref_bits,
    total, seq, class, raw, received_at, pid, ports, waiting)
  SELECT id, fingerprint, inbox, assembly, modem, sim, own_number, from_addr, scts, scts_text, kind, payload, ref, ref_bits,
    total, seq, class, raw, received_at, pid, ports, waiting FROM inbound_segments;
DROP TABLE inbound_segments;
ALTER TABLE inbound_segments_15 RENAME TO inbound_segments;
CREATE INDEX inbound_segments_fingerprint ON inbound_segments (fingerprint);
CREATE INDEX inbound_segments_place   ON inbound_segments (sim, place) WHERE place IS NOT NULL;
CREATE INDEX inbound_segments_waiting ON inbound_segments (sim, from_addr, ref) WHERE inbox IS NULL;
CREATE INDEX inbound_segments_inbox   ON inbound_segments (inbox) WHERE inbox IS NOT NULL;
CREATE INDEX inbound_segments_parts   ON inbound_segments (sim, from_addr, ref) WHERE ref IS NOT NULL;

ALTER TABLE inbox ADD COLUMN maybe_repeat INTEGER NOT NULL DEFAULT 0;  -- an equal one was kept before, and they can't be told apart

CREATE TABLE reports_15 (
    id          INTEGER PRIMARY KEY,
    fingerprint BLOB NOT NULL,
    modem       TEXT NOT NULL,
    sim         INTEGER NOT NULL,
    tp_mr       INTEGER NOT NULL,
    recipient   TEXT NOT NULL,
    scts        INTEGER,
    discharge   INTEGER,
    tp_status   INTEGER NOT NULL,
    raw         BLOB NOT NULL,
    received_at INTEGER NOT NULL,
    attempt     INTEGER,          -- that it speaks of; null: not known, or not yet
    place       INTEGER,
    read_at     INTEGER
) STRICT;
INSERT INTO reports_15 (id, fingerprint, modem, sim, tp_mr, recipient, scts, discharge, tp_status, raw, received_at, attempt)
  SELECT id, fingerprint, modem, sim, tp_mr, recipient, scts, discharge, tp_status, raw, received_at, attempt FROM reports;
DROP TABLE reports;
ALTER TABLE reports_15 RENAME TO reports;
CREATE INDEX reports_fingerprint ON reports (fingerprint);
CREATE INDEX reports_place       ON reports (sim, place) WHERE place IS NOT NULL;
-- Looked at again, the newest first, when an attempt of the SIM ends.
CREATE INDEX reports_unmatched   ON reports (sim) WHERE attempt IS NULL;

-- attempts.report_ref is -1 from now on where a report was asked for and the modem's answer said no usable TP-MR.
