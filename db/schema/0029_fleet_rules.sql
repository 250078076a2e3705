-- Version 29: opt-outs, pauses and cancelled batches of a fleet. Without [cluster] there is no row.
--
-- Programs from version 14 on use it as it is while the box is in no fleet.

-- What was changed here and the engine does not have yet: the newest of each.
CREATE TABLE fleet_rules (
    number INTEGER PRIMARY KEY,  -- of the sequence: grows with each change
    kind   INTEGER NOT NULL,     -- RuleKind of src/ports/shared_rule
    name   TEXT    NOT NULL,
    holds  INTEGER NOT NULL,
    at     INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX fleet_rules_name ON fleet_rules (kind, name);

-- One row at most: up to where this box obeys what the engine has (ports::RulesPlace).
CREATE TABLE fleet_rules_place (
    box    INTEGER PRIMARY KEY,
    xact   INTEGER NOT NULL,
    number INTEGER NOT NULL,
    heard  INTEGER NOT NULL
) STRICT;
