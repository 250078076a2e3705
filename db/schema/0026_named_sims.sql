-- Version 26: the SIM that a client wants a message to go out with.
--
-- Programs from version 14 on use it as it is: they send such a message by any SIM.

-- sims.id; null: any. Last, so that a message without one pays one octet of its row's header.
ALTER TABLE messages ADD COLUMN by_sim INTEGER;
