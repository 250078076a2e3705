-- Version 5: what sits in each slot of the rack.

-- Which modem and which SIM each slot of the rack had last. A slot is a [[modem]] of the configuration.
CREATE TABLE slots (
    name       TEXT PRIMARY KEY,
    imei       TEXT NOT NULL,
    card       TEXT NOT NULL,     -- ICCID, "imsi:..." where the card tells none; empty: none was ever seen
    changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
