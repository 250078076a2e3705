-- Version 6: the order in which what waits is sent.

-- Since when a message waits, where that is not created_at: its not_before had come.
ALTER TABLE messages ADD COLUMN queued_at INTEGER;
UPDATE messages SET queued_at = updated_at WHERE state = 1 AND flags & 4;

-- The queue of a group and level, in the order in which messages became queued: by the number of the event that made them so, which is
-- the message's own where it was never scheduled. No clock is in it, so that none that is set back can hide a message.
DROP INDEX messages_queued;
CREATE INDEX messages_queued  ON messages (grp, level, max(id, last_event)) WHERE state = 1;
-- Those between two attempts, so that a high level's retry does not wait for a low level's.
CREATE INDEX messages_retried ON messages (grp, level, due_at) WHERE state = 2 AND due_at IS NOT NULL;
