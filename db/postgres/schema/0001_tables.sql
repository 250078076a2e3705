-- What the boxes of a fleet share. A message's row in `messages` is written when it is put and when it ends;
-- where it is until then is its narrow row in `work`, which is gone once it has ended.
CREATE TABLE schema_reader (oldest int NOT NULL);  -- one row: the oldest schema whose programs may use this one
INSERT INTO schema_reader VALUES (6);

-- One row: which engine this is (ports::EngineId).
CREATE TABLE engine (
    name    text NOT NULL DEFAULT gen_random_uuid()::text,
    life    text NOT NULL DEFAULT gen_random_uuid()::text,  -- since the last rebuild
    doubted boolean NOT NULL DEFAULT false  -- a box knows of something that is not here any more
);
INSERT INTO engine DEFAULT VALUES;

CREATE TABLE boxes (
    box      int PRIMARY KEY,
    life     smallint NOT NULL DEFAULT 0,  -- ports::BoxLife
    epoch    bigint NOT NULL DEFAULT 0,
    -- What it has put back since the last rebuild. 0: all; 1: not all, and the others wait for it; 2: it was called dead before it had;
    -- 3: not all, and no box waits for it.
    owes     smallint NOT NULL DEFAULT 0,
    name     text COLLATE "C" NOT NULL UNIQUE,
    site     text NOT NULL,
    key_hash bytea NOT NULL
) WITH (fillfactor = 50);

-- Not in `boxes`: each command locks its row there.
CREATE TABLE beats (
    box            int PRIMARY KEY,
    beats          bigint NOT NULL DEFAULT 0,
    modems         bigint NOT NULL DEFAULT 0,
    rate           float8 NOT NULL DEFAULT 0,
    awaits_reports bigint NOT NULL DEFAULT 0,
    wall           bigint NOT NULL DEFAULT 0,  -- milliseconds of UTC, by the box's clock
    engine_node    boolean NOT NULL DEFAULT false,
    version        text NOT NULL DEFAULT ''
) WITH (fillfactor = 50);

CREATE SEQUENCE places;  -- age of messages
CREATE TABLE work (
    id     bigint PRIMARY KEY,
    place  bigint NOT NULL DEFAULT nextval('places'),
    epoch  bigint NOT NULL,
    holder int NOT NULL,  -- 0: waiting
    level  smallint NOT NULL,
    firm   boolean NOT NULL,
    grp    text COLLATE "C" NOT NULL,
    sticky text COLLATE "C"
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000,
        autovacuum_vacuum_cost_delay = 0);
-- It does not have `firm`, so that a message becomes firm in its page alone. There is none for the holder: another box seldom
-- takes its work, and every message would pay for it twice.
CREATE INDEX work_waiting ON work (grp, level DESC, place) WHERE holder = 0;

-- No index has a column that an end changes.
CREATE TABLE messages (
    id          bigint PRIMARY KEY,
    put_at      timestamptz NOT NULL DEFAULT now(),
    ended_at    timestamptz,
    fingerprint bigint NOT NULL,
    text_hash   bigint,
    recipient   bigint,  -- hash
    ended_by    int,
    state       smallint,  -- MessageState; null: it has not ended
    ref         text COLLATE "C",
    client      text COLLATE "C",
    pair        text COLLATE "C",
    batch       text COLLATE "C",
    form        text,  -- null: it has ended
    decided_of  int    -- the box that had it firm as it was ended by take_firm; null: it was not
) WITH (fillfactor = 70, autovacuum_vacuum_cost_delay = 0);
CREATE UNIQUE INDEX messages_ref ON messages (ref) WHERE ref IS NOT NULL;
CREATE INDEX messages_recipient ON messages (recipient) WHERE recipient IS NOT NULL;

-- The newest message with this text to this number.
CREATE TABLE texts (
    text_hash bigint PRIMARY KEY,
    message   bigint NOT NULL,
    put_at    timestamptz NOT NULL DEFAULT now()
);

-- Stays when its message is forgotten.
CREATE TABLE pairs (
    pair       text COLLATE "C" PRIMARY KEY,
    message    bigint NOT NULL,
    claimed_at timestamptz NOT NULL DEFAULT now()
);

-- What each box has added to the counts of each holder (0: waiting), so that no two boxes wait for one row.
CREATE TABLE tallies (
    writer int NOT NULL,
    holder int NOT NULL,
    held   bigint NOT NULL DEFAULT 0,
    firm   bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (holder, writer)
) WITH (fillfactor = 50);
CREATE TABLE client_tallies (
    writer  int NOT NULL,
    client  text COLLATE "C" NOT NULL,
    waiting bigint NOT NULL DEFAULT 0,  -- for their end
    PRIMARY KEY (client, writer)
) WITH (fillfactor = 50);

-- The box that named it last; `present`: it is in that box, as far as is known.
CREATE TABLE sims (
    iccid   text COLLATE "C" PRIMARY KEY,
    box     int NOT NULL,
    present boolean NOT NULL,
    grp     text COLLATE "C"  -- of its modem; null: the default one
);
-- What each box has sent by it, in the words of src/cluster.
CREATE TABLE sim_counts (
    iccid text COLLATE "C" NOT NULL,
    box   int NOT NULL,
    at    timestamptz NOT NULL DEFAULT now(),
    form  text NOT NULL,
    PRIMARY KEY (iccid, box)
) WITH (fillfactor = 50);
-- The SIM that sent last to a recipient by a sticky route.
CREATE TABLE recipient_sims (
    recipient bigint PRIMARY KEY,  -- as in messages
    at        timestamptz NOT NULL DEFAULT now(),
    iccid     text COLLATE "C" NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX recipient_sims_at ON recipient_sims (at);
-- To whom all boxes have sent by it: hashes, of the newest months. Boxes read on from the number that they have.
CREATE SEQUENCE recipient_numbers;
CREATE TABLE sim_recipients (
    iccid     text COLLATE "C" NOT NULL,
    month     bigint NOT NULL,
    recipient bigint NOT NULL,
    number    bigint NOT NULL DEFAULT nextval('recipient_numbers'),
    at        timestamptz NOT NULL DEFAULT now(),
    box       int NOT NULL,  -- that was the first to send to it
    PRIMARY KEY (iccid, month, recipient)
);
CREATE INDEX sim_recipients_number ON sim_recipients (iccid, number);
CREATE INDEX sim_recipients_at ON sim_recipients (at);

-- Changes carry the number of their transaction: see 0005.
CREATE SEQUENCE changes;
CREATE TABLE rules (
    kind    smallint NOT NULL,  -- ports::RuleKind
    subject text COLLATE "C" NOT NULL,
    holds   boolean NOT NULL,
    xact    bigint NOT NULL,
    number  bigint NOT NULL DEFAULT nextval('changes'),
    form    text NOT NULL,
    PRIMARY KEY (kind, subject)
);
CREATE INDEX rules_change ON rules (xact, number);
-- The newest change of each box that is in `rules`, by its own count: what comes again changes nothing.
CREATE TABLE rule_marks (
    box    int PRIMARY KEY,
    number bigint NOT NULL
);
CREATE TABLE mail (
    to_box int NOT NULL,
    xact   bigint NOT NULL,
    number bigint NOT NULL DEFAULT nextval('changes'),
    at     timestamptz NOT NULL DEFAULT now(),
    form   text NOT NULL,
    PRIMARY KEY (to_box, xact, number)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- The role of boxes at run time calls the functions, and sees no table. A login is made a member of it and of pg_monitor.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'smsrack_box') THEN
        CREATE ROLE smsrack_box NOLOGIN;
    END IF;
END $$;
GRANT USAGE ON SCHEMA smsrack TO smsrack_box;
GRANT SELECT ON schema_reader, schema_steps TO smsrack_box;
