-- Version 24: how the clock that dated the rows went against the time since boot, so that the next process sees that it was set.
--
-- Programs from version 14 on use it as it is: when they move times they write the row without these columns, and it is valid no more.

-- Null: unknown.
ALTER TABLE clock_set ADD COLUMN boot INTEGER;         -- hash of the boot for which the others are valid
ALTER TABLE clock_set ADD COLUMN boot_offset INTEGER;  -- wall clock less time since boot, ns
ALTER TABLE clock_set ADD COLUMN dated_since INTEGER;  -- rows from here on were dated by it
ALTER TABLE clock_set ADD COLUMN waits INTEGER;        -- 1: the clock was not trusted
