-- Version 22: which client a received message answers, so that it comes in that client's stream.
--
-- Programs from version 14 on use it as it is: what they receive is in the inbox, and in no client's stream.

-- clients.id that wrote last to the sender, at most 72 hours before; 0: none; null: not a received message. It is decided when the message is
-- stored, so that a stream that comes back after days gives the same answer.
ALTER TABLE events ADD COLUMN answers INTEGER;
CREATE INDEX events_answers ON events (answers, seq) WHERE answers IS NOT NULL;
