-- New messages. An array that is NULL has none of its values. Answers NULL where all are kept, otherwise per message a
-- ports::PutOutcome and the message that is in the way.
--
-- One statement keeps the messages that certainly have nothing in their way (`p_alone`: no other message of the call has the
-- same id, ref, text, pair, or a limit that counts them together). Each of the rest is judged for itself, in order.
CREATE FUNCTION tally_client(p_writer int, p_client text, p_waiting bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE client_tallies SET waiting = waiting + p_waiting WHERE client = p_client AND writer = p_writer;
    IF NOT FOUND THEN
        INSERT INTO client_tallies VALUES (p_writer, p_client, p_waiting)
            ON CONFLICT (client, writer) DO UPDATE SET waiting = client_tallies.waiting + excluded.waiting;
    END IF;
END $$;

-- The SIM that the recipient knows; `p_sticky`: as the box that accepted the message knows.
CREATE FUNCTION sticky_of(p_recipient text, p_sticky text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT iccid FROM recipient_sims WHERE recipient = hashtextextended(p_recipient, 0)), p_sticky)
$$;

-- A message that is put again. What its box has begun, perhaps, is that box's; what it has begun for certain, also where another
-- one has it firm. And the box that accepted it knows its ref.
CREATE FUNCTION claim_known(p_box int, p_epoch bigint, p_id bigint, p_firm boolean, p_begun boolean, p_ref text,
                            p_print bigint) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v record;
BEGIN
    IF p_firm THEN
        SELECT holder, firm INTO v FROM work WHERE id = p_id AND (NOT firm OR epoch = 0 OR p_begun) FOR UPDATE;
        IF FOUND THEN
            UPDATE work SET holder = p_box, epoch = p_epoch, firm = true WHERE id = p_id;
            PERFORM tally(p_box, v.holder, CASE WHEN v.firm THEN 0 ELSE -1 END, CASE WHEN v.firm THEN -1 ELSE 0 END);
            PERFORM tally(p_box, p_box, 0, 1);
        END IF;
    END IF;
    IF p_ref IS NOT NULL THEN
        UPDATE messages SET ref = p_ref, fingerprint = coalesce(p_print, 0)
            WHERE id = p_id AND ref IS NULL AND NOT EXISTS (SELECT FROM messages WHERE ref = p_ref);
    END IF;
END $$;

-- As they are in another engine, or in a later state of this one.
CREATE FUNCTION put_pairs(p_box int, p_epoch bigint, p_pairs text[], p_messages bigint[], p_ages bigint[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
BEGIN
    PERFORM fence(p_box, p_epoch);
    INSERT INTO pairs (pair, message, claimed_at)
        SELECT u.pair, u.message, now() - u.age * interval '1 second' FROM unnest(p_pairs, p_messages, p_ages) u (pair, message, age)
        ORDER BY u.pair
        ON CONFLICT DO NOTHING;
END $$;

CREATE FUNCTION put_messages(
    p_box int, p_epoch bigint, p_ids bigint[], p_alone boolean[], p_stages smallint[], p_grps text[], p_levels smallint[],
    p_batches text[], p_stickies text[], p_forms text[], p_refs text[], p_prints bigint[], p_recipients text[],
    p_exempt boolean[], p_texts bigint[], p_windows bigint[], p_hours bigint[], p_days bigint[], p_clients text[],
    p_client_max bigint[], p_pairs text[], p_pair_free bigint[], p_follows boolean[], p_begun boolean[],
    OUT o_outcomes smallint[], OUT o_firsts bigint[])
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
DECLARE
    c_kept       CONSTANT smallint := 0;  -- ports::PutOutcome
    c_repeated   CONSTANT smallint := 1;
    c_ref        CONSTANT smallint := 2;
    c_opted_out  CONSTANT smallint := 3;
    c_duplicate  CONSTANT smallint := 4;
    c_recipient  CONSTANT smallint := 5;
    c_client     CONSTANT smallint := 6;
    c_cancelled  CONSTANT smallint := 7;
    c_seen       CONSTANT smallint := 8;
    v_kept     bigint[];
    v_claimed  bigint[];
    v_fresh    bigint[];
    v_own      bigint;  -- held by the box
    v_firm     bigint;
    v_all      bigint;
    v          record;
    v_row      record;
    v_outcome  smallint;
    v_first    bigint;
BEGIN
    PERFORM fence(p_box, p_epoch);
    BEGIN
    WITH p AS MATERIALIZED (
        SELECT u.* FROM unnest(p_ids, p_alone, p_stages, p_grps, p_levels, p_batches, p_stickies, p_forms, p_refs, p_prints,
                               p_recipients, p_exempt, p_texts, p_windows, p_hours, p_days, p_clients, p_client_max, p_pairs,
                               p_follows)
            AS u (id, alone, stage, grp, level, batch, sticky, form, ref, print, recipient, exempt, text_hash, dup_ms, hour, day,
                  client, client_max, pair, follows)
        WHERE u.alone AND u.hour IS NULL AND u.day IS NULL AND u.client_max IS NULL
          -- As values: EXISTS would read all rules for a hash table.
          AND (u.batch IS NULL
               OR (SELECT holds FROM rules r WHERE r.kind = 2 AND r.subject = u.batch) IS NOT TRUE)
          AND (u.exempt OR u.recipient IS NULL
               OR (SELECT holds FROM rules r WHERE r.kind = 0 AND r.subject = u.recipient) IS NOT TRUE)
    ), claimed AS (
        INSERT INTO pairs (pair, message) SELECT pair, id FROM p WHERE pair IS NOT NULL ORDER BY pair
            ON CONFLICT DO NOTHING RETURNING message
    ), fresh AS (
        INSERT INTO texts (text_hash, message) SELECT text_hash, id FROM p WHERE text_hash IS NOT NULL ORDER BY text_hash
            ON CONFLICT DO NOTHING RETURNING message
    ), fit AS MATERIALIZED (
        SELECT * FROM p WHERE (pair IS NULL OR id IN (SELECT message FROM claimed))
                          AND (text_hash IS NULL OR id IN (SELECT message FROM fresh))
    ), kept AS (
        INSERT INTO messages (id, fingerprint, text_hash, ref, recipient, client, pair, batch, form)
            SELECT id, coalesce(print, 0), text_hash, ref, hashtextextended(recipient, 0), client, pair, batch, coalesce(form, '')
            FROM fit ORDER BY ref
    ), placed AS (
        INSERT INTO work (id, epoch, holder, level, firm, grp, sticky)
            SELECT id, p_epoch, CASE WHEN coalesce(stage, 0) = 0 THEN 0 ELSE p_box END, level, coalesce(stage, 0) = 2,
                   coalesce(grp, ''), CASE WHEN follows THEN sticky_of(recipient, sticky) ELSE sticky END FROM fit
    )
    SELECT array_agg(id), (SELECT array_agg(message) FROM claimed), (SELECT array_agg(message) FROM fresh),
           count(*) FILTER (WHERE stage = 1), count(*) FILTER (WHERE stage = 2), count(*)
        INTO v_kept, v_claimed, v_fresh, v_own, v_firm, v_all FROM fit;
    EXCEPTION WHEN unique_violation THEN
        -- An id or a ref is known: nothing of the statement was done. It is rare, and ON CONFLICT costs each message more.
        v_claimed := NULL;
        v_fresh := NULL;
        v_own := 0;
        v_firm := 0;
        v_all := 0;
    END;
    v_kept := coalesce(v_kept, '{}');
    IF p_clients IS NOT NULL THEN
        PERFORM tally_client(p_box, c.client, c.number)
            FROM (SELECT u.client, count(*) AS number FROM unnest(p_ids, p_clients) AS u (id, client)
                  WHERE u.client IS NOT NULL AND u.id = ANY (v_kept) GROUP BY u.client ORDER BY u.client) c;
    END IF;

    IF cardinality(v_kept) < cardinality(p_ids) THEN
        -- What was claimed for a message that was not kept after all.
        IF v_claimed IS NOT NULL THEN
            DELETE FROM pairs USING unnest(p_ids, p_pairs) AS u (id, pair)
                WHERE pairs.pair = u.pair AND pairs.message = u.id AND u.id = ANY (v_claimed) AND u.id <> ALL (v_kept);
        END IF;
        IF v_fresh IS NOT NULL THEN
            DELETE FROM texts USING unnest(p_ids, p_texts) AS u (id, text_hash)
                WHERE texts.text_hash = u.text_hash AND texts.message = u.id AND u.id = ANY (v_fresh) AND u.id <> ALL (v_kept);
        END IF;
        -- Limits count what others commit: one box at a time, in one order.
        PERFORM pg_advisory_xact_lock(7360, l.key)
            FROM (SELECT DISTINCT hashtext(u.recipient) AS key FROM unnest(p_recipients, p_hours, p_days) AS u (recipient, hour, day)
                  WHERE u.hour IS NOT NULL OR u.day IS NOT NULL ORDER BY 1) l;
        PERFORM pg_advisory_xact_lock(7361, l.key)
            FROM (SELECT DISTINCT hashtext(u.client) AS key FROM unnest(p_clients, p_client_max) AS u (client, client_max)
                  WHERE u.client IS NOT NULL AND u.client_max IS NOT NULL ORDER BY 1) l;
        o_outcomes := array_fill(c_kept, ARRAY[cardinality(p_ids)]);
        o_firsts := p_ids;
        FOR v IN SELECT u.* FROM unnest(p_ids, p_alone, p_stages, p_grps, p_levels, p_batches, p_stickies, p_forms, p_refs, p_prints,
                                        p_recipients, p_exempt, p_texts, p_windows, p_hours, p_days, p_clients, p_client_max,
                                        p_pairs, p_pair_free, p_follows, p_begun) WITH ORDINALITY
                AS u (id, alone, stage, grp, level, batch, sticky, form, ref, print, recipient, exempt, text_hash, dup_ms, hour, day,
                      client, client_max, pair, pair_free, follows, begun, n)
            WHERE u.id <> ALL (v_kept)
        LOOP
            LOOP  -- again where another box came in between
                v_outcome := NULL;
                v_first := 0;
                IF EXISTS (SELECT FROM messages WHERE id = v.id) THEN
                    PERFORM claim_known(p_box, p_epoch, v.id, v.stage = 2, v.begun, v.ref, v.print);
                    EXIT;  -- it was kept before
                END IF;
                IF v.ref IS NOT NULL THEN
                    SELECT id, fingerprint INTO v_row FROM messages WHERE ref = v.ref;
                    IF FOUND THEN
                        v_outcome := CASE WHEN v_row.fingerprint = coalesce(v.print, 0) THEN c_repeated ELSE c_ref END;
                        v_first := v_row.id;
                        EXIT;
                    END IF;
                END IF;
                IF v.batch IS NOT NULL AND EXISTS (SELECT FROM rules WHERE kind = 2 AND subject = v.batch AND holds) THEN
                    v_outcome := c_cancelled;
                    EXIT;
                END IF;
                IF v.exempt IS NOT TRUE AND v.recipient IS NOT NULL
                   AND EXISTS (SELECT FROM rules WHERE kind = 0 AND subject = v.recipient AND holds) THEN
                    v_outcome := c_opted_out;
                    EXIT;
                END IF;
                IF v.pair IS NOT NULL THEN
                    INSERT INTO pairs (pair, message) VALUES (v.pair, v.id) ON CONFLICT DO NOTHING;
                    IF NOT FOUND THEN
                        -- A claim of a message on its way holds, however old.
                        UPDATE pairs SET message = v.id, claimed_at = now()
                            WHERE pair = v.pair AND (message = v.id OR claimed_at < now() - v.pair_free * interval '1 second'
                                  AND NOT EXISTS (SELECT FROM work WHERE id = pairs.message));
                    END IF;
                    IF NOT FOUND THEN
                        SELECT message INTO v_row FROM pairs WHERE pair = v.pair;
                        CONTINUE WHEN NOT FOUND;
                        v_outcome := c_seen;
                        v_first := v_row.message;
                        EXIT;
                    END IF;
                END IF;
                IF v.text_hash IS NOT NULL THEN
                    INSERT INTO texts (text_hash, message) VALUES (v.text_hash, v.id) ON CONFLICT DO NOTHING;
                    IF NOT FOUND THEN
                        UPDATE texts SET message = v.id, put_at = now()
                            WHERE text_hash = v.text_hash
                              AND (message = v.id OR put_at <= now() - coalesce(v.dup_ms, 0) * interval '1 millisecond');
                    END IF;
                    IF NOT FOUND THEN
                        SELECT message INTO v_row FROM texts WHERE text_hash = v.text_hash;
                        CONTINUE WHEN NOT FOUND;
                        v_outcome := c_duplicate;
                        v_first := v_row.message;
                        EXIT;
                    END IF;
                END IF;
                IF v.hour IS NOT NULL OR v.day IS NOT NULL THEN
                    SELECT count(*) FILTER (WHERE put_at > now() - interval '1 hour') AS hour, count(*) AS day INTO v_row
                        FROM messages WHERE recipient = hashtextextended(v.recipient, 0) AND put_at > now() - interval '1 day'
                                        AND (state IS NULL OR state NOT IN (7, 8, 9));  -- those that ended unsent
                    IF v_row.hour >= v.hour OR v_row.day >= v.day THEN
                        v_outcome := c_recipient;
                        EXIT;
                    END IF;
                END IF;
                IF v.client IS NOT NULL AND v.client_max IS NOT NULL
                   AND (SELECT coalesce(sum(waiting), 0) FROM client_tallies WHERE client = v.client) >= v.client_max THEN
                    v_outcome := c_client;
                    EXIT;
                END IF;
                INSERT INTO messages (id, fingerprint, text_hash, ref, recipient, client, pair, batch, form)
                    VALUES (v.id, coalesce(v.print, 0), v.text_hash, v.ref, hashtextextended(v.recipient, 0), v.client, v.pair, v.batch,
                            coalesce(v.form, ''))
                    ON CONFLICT DO NOTHING;
                IF FOUND THEN
                    v_outcome := c_kept;
                    EXIT;
                END IF;
            END LOOP;
            CONTINUE WHEN v_outcome IS NULL;
            IF v_outcome = c_kept THEN
                INSERT INTO work (id, epoch, holder, level, firm, grp, sticky)
                    VALUES (v.id, p_epoch, CASE WHEN coalesce(v.stage, 0) = 0 THEN 0 ELSE p_box END, v.level,
                            coalesce(v.stage, 0) = 2, coalesce(v.grp, ''),
                            CASE WHEN v.follows THEN sticky_of(v.recipient, v.sticky) ELSE v.sticky END);
                v_own := v_own + CASE WHEN v.stage = 1 THEN 1 ELSE 0 END;
                v_firm := v_firm + CASE WHEN v.stage = 2 THEN 1 ELSE 0 END;
                v_all := v_all + 1;
                IF v.client IS NOT NULL THEN
                    PERFORM tally_client(p_box, v.client, 1);
                END IF;
            ELSE
                DELETE FROM pairs WHERE pair = v.pair AND message = v.id;
                DELETE FROM texts WHERE text_hash = v.text_hash AND message = v.id;
                o_outcomes[v.n] := v_outcome;
                o_firsts[v.n] := v_first;
            END IF;
        END LOOP;
    END IF;
    PERFORM tally(p_box, 0, v_all - v_own - v_firm, 0);
    PERFORM tally(p_box, p_box, v_own, v_firm);
END $$;
