-- Version 16: which account brought a message, so that an account that may only send sees its own messages and no others.
--
-- Programs from version 14 on use it as it is: the messages that they accept have no owner, and only a reader sees them.

ALTER TABLE messages ADD COLUMN owner INTEGER;  -- uid; 0: root or the service itself; null: not known, from before version 16
ALTER TABLE events   ADD COLUMN owner INTEGER;  -- of its message
-- Only for accounts that may be senders: root and the service itself see everything.
CREATE INDEX messages_owner ON messages (owner, id) WHERE owner > 0;
CREATE INDEX events_owner   ON events (owner, seq) WHERE owner > 0;
