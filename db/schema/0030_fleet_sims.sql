-- Version 30: SIMs of a fleet. Without [cluster] there is no row.
--
-- Programs from version 14 on use it as it is while the box is in no fleet.

-- What the fleet told last of a SIM that is in this box, so that it counts while the engine is away, too.
CREATE TABLE fleet_sims (
    iccid TEXT PRIMARY KEY,  -- as in sims
    form  TEXT NOT NULL      -- in the words of src/cluster
) STRICT, WITHOUT ROWID;
