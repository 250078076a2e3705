-- Version 20: events that a webhook has lost, and which events it wants, so that they can be counted; answers of receivers by age.
--
-- Programs from version 14 on use it as it is: what they remove is not counted.

ALTER TABLE webhooks ADD COLUMN events TEXT NOT NULL DEFAULT '';  -- patterns of the configuration, separated by spaces
ALTER TABLE webhooks ADD COLUMN client TEXT NOT NULL DEFAULT '';  -- its name; '': events of all
ALTER TABLE webhooks ADD COLUMN lost INTEGER NOT NULL DEFAULT 0;  -- wanted events that were removed before they had a row in deliveries
ALTER TABLE webhooks ADD COLUMN lost_at INTEGER;                  -- when the first of them was removed

-- To find those that are made anonymous.
CREATE INDEX delivery_attempts_answers ON delivery_attempts (at) WHERE answer <> '';
