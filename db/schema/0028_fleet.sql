-- Version 28: messages that another box of a fleet may send, or has sent, and those of other boxes.
--
-- Programs from version 14 on use it as it is while the box is in no fleet. A box that joins one sets schema_reader to 28 (db/upkeep/join_fleet):
-- they know no message that is elsewhere, and would begin one that another box begins.

ALTER TABLE head    ADD COLUMN elsewhere INTEGER NOT NULL DEFAULT 0;
ALTER TABLE batches ADD COLUMN elsewhere INTEGER NOT NULL DEFAULT 0;

-- Only for messages that boxes share: without [cluster] there is no row.
CREATE TABLE fleet_messages (
    id     INTEGER PRIMARY KEY,  -- messages.id; always this box's own number
    origin INTEGER,              -- the message's id in the fleet, where another box accepted it; null: it is `id`
    stage  INTEGER NOT NULL,     -- FleetStage of src/sms/fleet_stage
    kept   INTEGER NOT NULL,     -- Kept of the same
    epoch  INTEGER NOT NULL,     -- under which this box holds it, or held it last; 0: it never did
    box    INTEGER NOT NULL      -- number of the other box that ended it, or began it; 0: none is known
) STRICT;
CREATE UNIQUE INDEX fleet_messages_origin ON fleet_messages (origin) WHERE origin IS NOT NULL;
-- What src/cluster still has to do, oldest first. A message that is settled costs nothing here.
CREATE INDEX fleet_messages_stage ON fleet_messages (stage, id) WHERE stage < 5;
CREATE INDEX fleet_messages_kept_here ON fleet_messages (id) WHERE kept = 0 AND stage < 5;
