-- Boxes and their seats. Refusals are raised, so that nothing is done:
--   SR001 another epoch   SR002 conflict   SR003 not allowed   SR004 newer schema   SR005 not found   SR006 no number is free
CREATE FUNCTION fence(p_box int, p_epoch bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM boxes WHERE box = p_box AND epoch = p_epoch AND p_epoch > 0 AND life NOT IN (3, 4) FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'epoch % of box % is not its newest', p_epoch, p_box USING ERRCODE = 'SR001';
    END IF;
END $$;

CREATE FUNCTION tally(p_writer int, p_holder int, p_held bigint, p_firm bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF p_held = 0 AND p_firm = 0 THEN
        RETURN;
    END IF;
    UPDATE tallies SET held = held + p_held, firm = firm + p_firm WHERE holder = p_holder AND writer = p_writer;
    IF NOT FOUND THEN
        INSERT INTO tallies VALUES (p_writer, p_holder, p_held, p_firm)
            ON CONFLICT (holder, writer) DO UPDATE
            SET held = tallies.held + excluded.held, firm = tallies.firm + excluded.firm;
    END IF;
END $$;

CREATE FUNCTION release_held(p_writer int, p_box int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    v_count bigint;
BEGIN
    UPDATE work SET holder = 0 WHERE holder = p_box AND NOT firm;
    GET DIAGNOSTICS v_count = ROW_COUNT;
    PERFORM tally(p_writer, p_box, -v_count, 0);
    PERFORM tally(p_writer, 0, v_count, 0);
    RETURN v_count;
END $$;

-- `p_number`: that another engine gave the box; 0: any.
CREATE FUNCTION register_box(p_name text, p_site text, p_number int, p_key text) RETURNS int
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
DECLARE
    v_box  int;
    v_amid boolean;  -- in doubt, or in a rebuild
    v_hash bytea := sha256(convert_to(p_key, 'UTF8'));
    v_row  record;
BEGIN
    PERFORM pg_advisory_xact_lock(7359, 0);
    SELECT box, key_hash INTO v_row FROM boxes WHERE name = p_name;
    IF FOUND THEN
        IF v_row.key_hash <> v_hash THEN
            RAISE EXCEPTION 'the name belongs to another key' USING ERRCODE = 'SR002';
        END IF;
        RETURN v_row.box;
    END IF;
    PERFORM FROM engine FOR UPDATE;
    SELECT doubted OR EXISTS (SELECT FROM boxes WHERE owes IN (1, 2)) INTO v_amid FROM engine;
    IF p_number > 0 AND EXISTS (SELECT FROM boxes WHERE box = p_number) THEN
        RAISE EXCEPTION 'the number belongs to another box' USING ERRCODE = 'SR002';
    END IF;
    IF p_number = 0 AND v_amid THEN
        RAISE EXCEPTION 'boxes put back what they have: a new one comes afterwards' USING ERRCODE = 'SR002';
    END IF;
    IF p_number > 0 AND NOT EXISTS (SELECT FROM boxes) THEN
        UPDATE engine SET doubted = true;  -- another engine gave out the numbers
        v_amid := true;
    END IF;
    SELECT CASE WHEN p_number > 0 THEN p_number ELSE coalesce(max(box), 0) + 1 END INTO v_box FROM boxes;
    IF v_box > 1023 THEN
        RAISE EXCEPTION 'all numbers of boxes are given out' USING ERRCODE = 'SR006';
    END IF;
    INSERT INTO boxes (box, name, site, key_hash, owes) 
        VALUES (v_box, p_name, p_site, v_hash, CASE WHEN p_number = 0 THEN 0 WHEN v_amid THEN 1 ELSE 3 END);
    INSERT INTO beats (box) VALUES (v_box);
    RETURN v_box;
END $$;

-- It waits for what an earlier connection of this box has not ended, so afterwards nothing of that one is open.
-- `p_after`: the newest epoch that the box knows of its own. `o_beats` counts this entry, too; `o_wall` is of the last beat that said it.
CREATE FUNCTION enter_fleet(p_name text, p_release int, p_after bigint, p_key text, OUT o_box int, OUT o_epoch bigint,
                            OUT o_engine text, OUT o_life text, OUT o_beats bigint, OUT o_wall bigint, OUT o_doubted boolean,
                            OUT o_back boolean, OUT o_all_back boolean)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
DECLARE
    v_oldest int;
BEGIN
    SELECT max(oldest) INTO v_oldest FROM schema_reader;
    IF p_release < v_oldest THEN
        RAISE EXCEPTION 'the engine needs a release with schema %, this one has %', v_oldest, p_release
            USING ERRCODE = 'SR004';
    END IF;
    UPDATE boxes SET epoch = greatest(epoch, p_after) + 1, life = CASE life WHEN 3 THEN 0 ELSE life END,
                     owes = CASE owes WHEN 2 THEN 1 ELSE owes END
        WHERE name = p_name AND key_hash = sha256(convert_to(p_key, 'UTF8')) AND life <> 4
        RETURNING box, epoch INTO o_box, o_epoch;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no such box, or another key, or it has left' USING ERRCODE = 'SR003';
    END IF;
    UPDATE beats SET beats = beats + 1 WHERE box = o_box RETURNING beats, wall INTO o_beats, o_wall;
    PERFORM release_held(o_box, o_box);
    SELECT e.name, e.life, e.doubted, b.owes = 0 INTO o_engine, o_life, o_doubted, o_back FROM engine e, boxes b WHERE b.box = o_box;
    o_all_back := NOT EXISTS (SELECT FROM boxes WHERE owes IN (1, 2));
END $$;

-- The first row, of box 0, has the count of waiting messages in `o_held`.
CREATE FUNCTION beat(p_box int, p_epoch bigint, p_version text, p_modems bigint, p_rate float8, p_awaits bigint,
                     p_node boolean, p_wall bigint)
    RETURNS TABLE (o_box int, o_name text, o_site text, o_life smallint, o_epoch bigint, o_beats bigint, o_version text,
                   o_modems bigint, o_rate float8, o_awaits bigint, o_node boolean, o_wall bigint, o_held bigint, o_firm bigint,
                   o_owes smallint)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
BEGIN
    PERFORM fence(p_box, p_epoch);
    UPDATE beats SET beats = beats + 1, version = p_version, modems = p_modems, rate = p_rate, awaits_reports = p_awaits,
                     engine_node = p_node, wall = CASE p_wall WHEN 0 THEN wall ELSE p_wall END
        WHERE box = p_box;
    RETURN QUERY SELECT 0, NULL, NULL, NULL::smallint, NULL::bigint, NULL::bigint, NULL, NULL::bigint, NULL::float8,
                        NULL::bigint, NULL::boolean, NULL::bigint, coalesce(sum(held), 0)::bigint, NULL::bigint, NULL::smallint
                 FROM tallies WHERE holder = 0;
    RETURN QUERY SELECT b.box, b.name, b.site, b.life, b.epoch, t.beats, t.version, t.modems, t.rate, t.awaits_reports,
                        t.engine_node, t.wall,
                        coalesce((SELECT sum(held) FROM tallies WHERE holder = b.box), 0)::bigint,
                        coalesce((SELECT sum(firm) FROM tallies WHERE holder = b.box), 0)::bigint, b.owes
                 FROM boxes b JOIN beats t ON t.box = b.box ORDER BY b.box;
END $$;

-- Its row is locked before its beats are read: a beat that came first is seen, and one that comes later is refused or seen by the next.
CREATE FUNCTION must_be_silent(p_from int, p_from_epoch bigint, p_beats bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM boxes WHERE box = p_from AND epoch = p_from_epoch FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'box % has another epoch', p_from USING ERRCODE = 'SR002';
    END IF;
    PERFORM FROM beats WHERE box = p_from AND beats = p_beats;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'box % beat again', p_from USING ERRCODE = 'SR002';
    END IF;
END $$;

CREATE FUNCTION take_over(p_box int, p_epoch bigint, p_from int, p_from_epoch bigint, p_beats bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
BEGIN
    PERFORM fence(p_box, p_epoch);
    PERFORM must_be_silent(p_from, p_from_epoch, p_beats);
    UPDATE boxes SET epoch = epoch + 1 WHERE box = p_from;
    RETURN release_held(p_box, p_from);
END $$;

CREATE FUNCTION set_life(p_box int, p_epoch bigint, p_name text, p_life int) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
DECLARE
    v_box int;
BEGIN
    PERFORM FROM engine WHERE p_life IN (3, 4) FOR UPDATE;
    PERFORM fence(p_box, p_epoch);
    SELECT box INTO v_box FROM boxes WHERE name = p_name FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no box has this name' USING ERRCODE = 'SR005';
    END IF;
    IF p_life = 4 AND EXISTS (SELECT FROM work WHERE holder = v_box) THEN
        RAISE EXCEPTION 'box % has messages', v_box USING ERRCODE = 'SR002';
    END IF;
    IF p_life = 4 AND EXISTS (SELECT FROM boxes b, engine e WHERE b.box = v_box AND (e.doubted OR b.owes <> 0)) THEN
        RAISE EXCEPTION 'box % has something to put back, perhaps', v_box USING ERRCODE = 'SR002';
    END IF;
    UPDATE boxes SET life = p_life::smallint, epoch = epoch + CASE WHEN p_life IN (3, 4) THEN 1 ELSE 0 END WHERE box = v_box;
    IF p_life IN (3, 4) THEN
        PERFORM release_held(p_box, v_box);
    END IF;
    IF p_life = 3 THEN
        UPDATE boxes SET owes = 2 FROM engine e WHERE box = v_box AND (e.doubted OR owes = 1);
    END IF;
END $$;

-- All seats but that of `p_but`. One command at a time locks the engine's row first, and its box's behind it.
CREATE FUNCTION end_seats(p_writer int, p_but int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v record;
BEGIN
    UPDATE boxes SET epoch = epoch + 1 WHERE box <> p_but AND life NOT IN (3, 4);
    FOR v IN WITH gone AS (
                 UPDATE work w SET holder = 0 FROM (SELECT id, holder FROM work WHERE holder NOT IN (0, p_but) AND NOT firm) h
                 WHERE w.id = h.id AND NOT w.firm RETURNING h.holder)
             SELECT holder, count(*) AS held FROM gone GROUP BY holder ORDER BY holder LOOP
        PERFORM tally(p_writer, v.holder, -v.held, 0);
        PERFORM tally(p_writer, 0, v.held, 0);
    END LOOP;
END $$;

CREATE FUNCTION doubt(p_box int, p_epoch bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
BEGIN
    PERFORM FROM engine FOR UPDATE;
    PERFORM fence(p_box, p_epoch);
    UPDATE engine SET doubted = true WHERE NOT doubted;
    IF FOUND THEN
        PERFORM end_seats(p_box, p_box);
    END IF;
END $$;

-- What was firm has the epoch 0 until its box has put it back.
CREATE FUNCTION rebuild(p_box int, p_epoch bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
BEGIN
    PERFORM FROM engine FOR UPDATE;
    PERFORM fence(p_box, p_epoch);
    UPDATE engine SET doubted = false, life = gen_random_uuid()::text;
    UPDATE boxes SET owes = CASE WHEN life IN (3, 4) THEN CASE owes WHEN 2 THEN 2 ELSE 3 END ELSE 1 END;
    UPDATE work SET epoch = 0 WHERE firm;
    PERFORM end_seats(p_box, 0);
END $$;

CREATE FUNCTION note_put_back(p_box int, p_epoch bigint, p_limit bigint) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
DECLARE
    v_dead  int;
    v_count bigint;
BEGIN
    PERFORM FROM engine FOR UPDATE;
    PERFORM fence(p_box, p_epoch);
    UPDATE boxes SET owes = 0 WHERE box = p_box AND owes <> 0;
    IF FOUND THEN
        UPDATE work SET holder = 0, firm = false WHERE holder = p_box AND firm AND epoch = 0;
        GET DIAGNOSTICS v_count = ROW_COUNT;
        PERFORM tally(p_box, p_box, 0, -v_count);
        PERFORM tally(p_box, 0, v_count, 0);
    END IF;
    SELECT min(box) INTO v_dead FROM boxes WHERE owes = 2;
    IF v_dead IS NULL OR EXISTS (SELECT FROM boxes WHERE owes = 1) OR EXISTS (SELECT FROM engine WHERE doubted) THEN
        RETURN v_dead IS NULL;
    END IF;
    -- What the engine has forgotten of that box, no one else knows: it may have begun all that waits.
    UPDATE work SET holder = v_dead, firm = true, epoch = 0 WHERE id IN (SELECT id FROM work WHERE holder = 0 LIMIT p_limit);
    GET DIAGNOSTICS v_count = ROW_COUNT;
    PERFORM tally(p_box, 0, -v_count, 0);
    PERFORM tally(p_box, v_dead, 0, v_count);
    IF v_count = p_limit THEN
        RETURN false;
    END IF;
    UPDATE boxes SET owes = 3 WHERE owes = 2;
    RETURN true;
END $$;

-- A SIM that is not named any more keeps its row, and so its last box. `p_here` is null where a SIM is here perhaps.
-- Answers a row for each SIM and each other box that has sent by it, with `part` null where none has. The first row of a SIM
-- has its recipients.
CREATE FUNCTION name_sims(p_box int, p_epoch bigint, p_iccids text[], p_grps text[], p_here boolean[], p_asks boolean[], p_after bigint[],
                          p_forms text[], p_absent int[], p_counted text[], p_months bigint[], p_recipients bigint[], p_limit bigint)
    RETURNS TABLE (place bigint, elsewhere int, part int, form text, months bigint[], recipients bigint[], number bigint)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
BEGIN
    PERFORM fence(p_box, p_epoch);
    -- One command at a time of each SIM, so that no recipient gets a number below one that another box has read.
    PERFORM FROM sims s WHERE s.iccid = ANY (p_iccids) ORDER BY s.iccid FOR UPDATE;
    INSERT INTO sims AS s SELECT u.iccid, p_box, true, u.grp FROM unnest(p_iccids, p_grps, p_here) u(iccid, grp, here) WHERE u.here
        ORDER BY u.iccid
        ON CONFLICT (iccid) DO UPDATE SET box = p_box, present = true, grp = excluded.grp
        WHERE (s.box = p_box AND (NOT s.present OR s.grp IS DISTINCT FROM excluded.grp))
           OR (s.box <> p_box AND (NOT s.present OR s.box = ANY (p_absent)
               OR EXISTS (SELECT FROM boxes b WHERE b.box = s.box AND b.life IN (3, 4))));
    UPDATE sims s SET present = false WHERE s.box = p_box AND s.present
        AND NOT EXISTS (SELECT FROM unnest(p_iccids, p_here) u(iccid, here) WHERE u.iccid = s.iccid AND u.here IS NOT FALSE);
    INSERT INTO sim_counts AS c (iccid, box, form) SELECT u.iccid, p_box, u.form FROM unnest(p_iccids, p_forms) u(iccid, form)
        WHERE u.form IS NOT NULL ORDER BY u.iccid
        ON CONFLICT ON CONSTRAINT sim_counts_pkey DO UPDATE SET form = excluded.form, at = now() WHERE c.form <> excluded.form;
    INSERT INTO sim_recipients (iccid, month, recipient, box) SELECT u.*, p_box FROM unnest(p_counted, p_months, p_recipients) u
        ON CONFLICT DO NOTHING;
    RETURN QUERY
        SELECT u.place, CASE WHEN u.here AND s.box <> p_box THEN s.box ELSE 0 END, c.box, c.form,
               CASE WHEN c.nth IS NULL OR c.nth = 1 THEN r.months END, CASE WHEN c.nth IS NULL OR c.nth = 1 THEN r.recipients END,
               r.number
        FROM unnest(p_iccids, p_here, p_asks, p_after) WITH ORDINALITY u(iccid, here, asks, after, place)
        LEFT JOIN sims s ON s.iccid = u.iccid
        LEFT JOIN LATERAL (
            SELECT k.box, k.form, row_number() OVER (ORDER BY k.box) AS nth FROM sim_counts k
            WHERE u.asks AND k.iccid = u.iccid AND k.box <> p_box) c ON true
        LEFT JOIN LATERAL (
            SELECT array_agg(m.month ORDER BY m.number) AS months, array_agg(m.recipient ORDER BY m.number) AS recipients,
                   max(m.number) AS number
            FROM (SELECT n.month, n.recipient, n.number FROM sim_recipients n WHERE u.asks AND n.iccid = u.iccid AND n.number > u.after
                    AND n.box <> p_box
                  ORDER BY n.number LIMIT p_limit) m) r ON true
        ORDER BY u.place, c.box;
END $$;
