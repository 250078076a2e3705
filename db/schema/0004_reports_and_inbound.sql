-- Version 4: reports of one submit know each other; a received message says what it is.

ALTER TABLE segments ADD COLUMN report_scts INTEGER;  -- of the report that was matched: the next of the same submit has it too
ALTER TABLE segments ADD COLUMN discharge   INTEGER;  -- by the service centre's clock

ALTER TABLE inbound_segments ADD COLUMN pid     INTEGER NOT NULL DEFAULT 0;  -- TP-PID
ALTER TABLE inbound_segments ADD COLUMN ports   INTEGER;                     -- dst * 65536 + src
ALTER TABLE inbound_segments ADD COLUMN waiting INTEGER;                     -- where messages wait; + 4: some do
-- inbox = 0 from now on: a silent message, which is in no inbox. Parts of long messages are few.
CREATE INDEX inbound_segments_parts ON inbound_segments (sim, from_addr, ref) WHERE ref IS NOT NULL;

ALTER TABLE inbox ADD COLUMN pid      INTEGER NOT NULL DEFAULT 0;
ALTER TABLE inbox ADD COLUMN ports    INTEGER;
ALTER TABLE inbox ADD COLUMN waiting  INTEGER;
ALTER TABLE inbox ADD COLUMN replaces INTEGER NOT NULL DEFAULT 0;            -- an older row that this one stands for
CREATE INDEX inbox_replaceable ON inbox (sim, pid, from_addr) WHERE pid BETWEEN 65 AND 71;
