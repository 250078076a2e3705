-- Version 21: the note that a client gives a message.
--
-- Programs from version 14 on use it as it is: what they make anonymous keeps its note until this version looks at it.

-- Opaque to the rack, at most 512 octets; null: it has none. Last, so that a message without one pays one octet of its row's header.
ALTER TABLE messages ADD COLUMN note TEXT;
