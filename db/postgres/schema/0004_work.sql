-- Messages on their way. Every change of where a message is begins with its row in `work`. Lists are answered as NULL
-- where they are what was asked for.
CREATE FUNCTION unless_all(p_asked bigint[], p_answer bigint[]) RETURNS bigint[] IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
    RETURN CASE WHEN coalesce(cardinality(p_answer), 0) = cardinality(p_asked) THEN NULL ELSE coalesce(p_answer, '{}') END;
END $$;

-- One message of each of these clients has ended.
CREATE FUNCTION tally_clients(p_writer int, p_clients text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF p_clients IS NOT NULL THEN
        PERFORM tally_client(p_writer, c.client, -c.number)
            FROM (SELECT u AS client, count(*) AS number FROM unnest(p_clients) u GROUP BY u ORDER BY u) c;
    END IF;
END $$;

CREATE FUNCTION take_messages(p_box int, p_epoch bigint, p_grps text[], p_lowest smallint[], p_limits bigint[], p_absent int[], p_sticky_s bigint)
    RETURNS TABLE (o_id bigint, o_grp text, o_level smallint, o_batch text, o_sticky text, o_form text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
DECLARE
    v_elsewhere text[];  -- SIMs of other boxes
    v_count bigint := 0;
    v_more  bigint;
BEGIN
    PERFORM fence(p_box, p_epoch);
    FOR i IN 1 .. coalesce(cardinality(p_grps), 0) LOOP
        -- Of each group once, as values.
        v_elsewhere := ARRAY(SELECT s.iccid FROM sims s JOIN boxes b ON b.box = s.box
            WHERE b.life = 0 AND s.present AND s.box <> p_box AND s.box <> ALL (p_absent)
              AND coalesce(s.grp, '') = coalesce(p_grps[i], ''));
        RETURN QUERY
            WITH picked AS (
                SELECT w.id FROM work w
                WHERE w.holder = 0 AND w.grp = coalesce(p_grps[i], '') AND w.level >= p_lowest[i]
                  AND (w.sticky IS NULL OR w.sticky <> ALL (v_elsewhere)
                       OR (SELECT m.put_at FROM messages m WHERE m.id = w.id) < now() - p_sticky_s * interval '1 second')
                ORDER BY w.level DESC, w.place LIMIT p_limits[i] FOR UPDATE SKIP LOCKED
            ), taken AS (
                UPDATE work w SET holder = p_box, epoch = p_epoch FROM picked WHERE w.id = picked.id
                RETURNING w.id, w.level, w.place, w.sticky
            )
            SELECT t.id, coalesce(p_grps[i], ''), t.level, m.batch, t.sticky, m.form FROM taken t JOIN messages m ON m.id = t.id
            ORDER BY t.level DESC, t.place;
        GET DIAGNOSTICS v_more = ROW_COUNT;
        v_count := v_count + v_more;
    END LOOP;
    PERFORM tally(p_box, 0, -v_count, 0);
    PERFORM tally(p_box, p_box, v_count, 0);
END $$;

CREATE FUNCTION firm_messages(p_box int, p_epoch bigint, p_ids bigint[]) RETURNS bigint[]
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
DECLARE
    v_count bigint;
BEGIN
    PERFORM fence(p_box, p_epoch);
    UPDATE work SET firm = true WHERE id = ANY (p_ids) AND holder = p_box AND NOT firm;
    GET DIAGNOSTICS v_count = ROW_COUNT;
    PERFORM tally(p_box, p_box, -v_count, v_count);
    IF v_count = cardinality(p_ids) THEN
        RETURN NULL;
    END IF;
    RETURN unless_all(p_ids, ARRAY(SELECT id FROM work WHERE id = ANY (p_ids) AND holder = p_box AND firm));
END $$;

-- All but those that this box has ended are not the box's afterwards.
CREATE FUNCTION give_back(p_box int, p_epoch bigint, p_ids bigint[]) RETURNS bigint[]
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
DECLARE
    v_firm bigint;
    v_all  bigint;
BEGIN
    PERFORM fence(p_box, p_epoch);
    WITH found AS (
        SELECT id, firm FROM work WHERE id = ANY (p_ids) AND holder = p_box FOR UPDATE
    ), given AS (
        UPDATE work w SET holder = 0, firm = false FROM found WHERE w.id = found.id RETURNING found.firm
    )
    SELECT count(*) FILTER (WHERE firm), count(*) INTO v_firm, v_all FROM given;
    PERFORM tally(p_box, p_box, v_firm - v_all, -v_firm);
    PERFORM tally(p_box, 0, v_all, 0);
    IF v_all = cardinality(p_ids) THEN
        RETURN NULL;
    END IF;
    RETURN unless_all(p_ids, ARRAY(SELECT u FROM unnest(p_ids) u
        WHERE NOT EXISTS (SELECT FROM messages m WHERE m.id = u AND m.ended_by = p_box)));
END $$;

CREATE FUNCTION settle_messages(p_box int, p_epoch bigint, p_ids bigint[], p_states smallint[], p_unbegun boolean[],
                                p_frees boolean[], p_sims text[]) RETURNS bigint[]
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
DECLARE
    v_gone    record;
    v_settled bigint[];
    v_clients text[];
BEGIN
    PERFORM fence(p_box, p_epoch);
    WITH gone AS (
        DELETE FROM work w USING unnest(p_ids, p_unbegun) AS s (id, unbegun)
        WHERE w.id = s.id AND (w.holder IN (0, p_box) OR NOT w.firm AND s.unbegun IS NOT TRUE)
        RETURNING w.id, w.holder, w.firm
    )
    SELECT coalesce(array_agg(id), '{}') AS ids, array_agg(holder) AS holders, array_agg(firm) AS firm INTO v_gone FROM gone;
    PERFORM tally(p_box, g.holder, -g.held, -g.firm) FROM (
        SELECT holder, count(*) FILTER (WHERE NOT firm) AS held, count(*) FILTER (WHERE firm) AS firm
        FROM unnest(v_gone.holders, v_gone.firm) AS u (holder, firm) GROUP BY holder ORDER BY holder) g;
    WITH settled AS (
        UPDATE messages m
            SET state = s.state, form = NULL, ended_at = coalesce(m.ended_at, now()), ended_by = coalesce(m.ended_by, p_box)
            FROM unnest(p_ids, p_states, p_unbegun) AS s (id, state, unbegun)
            WHERE m.id = s.id AND (m.id = ANY (v_gone.ids)
                                   OR m.state IS NOT NULL AND (s.unbegun IS NOT TRUE OR m.state = s.state))
            RETURNING m.id, m.client
    )
    SELECT array_agg(id), array_agg(client) FILTER (WHERE client IS NOT NULL AND id = ANY (v_gone.ids))
        INTO v_settled, v_clients FROM settled;
    PERFORM tally_clients(p_box, v_clients);
    IF p_frees IS NOT NULL THEN
        DELETE FROM pairs p USING unnest(p_ids, p_frees) AS s (id, frees), messages m
            WHERE s.frees AND s.id = ANY (v_settled) AND m.id = s.id AND p.pair = m.pair AND p.message = m.id;
    END IF;
    IF p_sims IS NOT NULL THEN
        INSERT INTO recipient_sims (recipient, iccid)
            SELECT DISTINCT ON (m.recipient) m.recipient, s.iccid FROM unnest(p_ids, p_sims) AS s (id, iccid) JOIN messages m ON m.id = s.id
            WHERE s.iccid IS NOT NULL AND m.recipient IS NOT NULL AND s.id = ANY (v_settled) ORDER BY m.recipient, s.id DESC
            ON CONFLICT (recipient) DO UPDATE SET iccid = excluded.iccid, at = now();
    END IF;
    RETURN unless_all(p_ids, v_settled);
END $$;

CREATE FUNCTION take_firm(p_box int, p_epoch bigint, p_from int, p_from_epoch bigint, p_beats bigint, p_resend boolean,
                          p_limit bigint) RETURNS bigint[]
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
DECLARE
    v_ids     bigint[];
    v_clients text[];
    v_failed  CONSTANT smallint := 7;  -- MessageState
BEGIN
    PERFORM fence(p_box, p_epoch);
    PERFORM must_be_silent(p_from, p_from_epoch, p_beats);
    v_ids := ARRAY(SELECT id FROM work WHERE holder = p_from AND firm ORDER BY place LIMIT p_limit FOR UPDATE);
    PERFORM tally(p_box, p_from, 0, -cardinality(v_ids));
    IF p_resend THEN
        UPDATE work SET holder = 0, firm = false WHERE id = ANY (v_ids);
        PERFORM tally(p_box, 0, cardinality(v_ids), 0);
        RETURN v_ids;
    END IF;
    DELETE FROM work WHERE id = ANY (v_ids);
    WITH ended AS (
        UPDATE messages SET state = v_failed, form = NULL, ended_at = now(), ended_by = p_box, decided_of = p_from
            WHERE id = ANY (v_ids)
        RETURNING client
    )
    SELECT array_agg(client) FILTER (WHERE client IS NOT NULL) INTO v_clients FROM ended;
    PERFORM tally_clients(p_box, v_clients);
    RETURN v_ids;
END $$;

CREATE FUNCTION find_messages(p_box int, p_epoch bigint, p_ids bigint[])
    RETURNS TABLE (o_id bigint, o_stage smallint, o_box int, o_epoch bigint, o_state smallint, o_decided boolean)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
BEGIN
    PERFORM fence(p_box, p_epoch);
    RETURN QUERY
        SELECT m.id,
               (CASE WHEN w.id IS NULL THEN 3 WHEN w.firm THEN 2 WHEN w.holder > 0 THEN 1 ELSE 0 END)::smallint,
               coalesce(w.holder, m.decided_of, m.ended_by, 0), CASE WHEN w.holder > 0 THEN w.epoch ELSE 0 END,
               coalesce(m.state, 1::smallint), w.id IS NULL AND m.decided_of IS NOT NULL
        FROM messages m LEFT JOIN work w ON w.id = m.id WHERE m.id = ANY (p_ids) ORDER BY m.id;
END $$;

-- The oldest of each box come first in the order of the key.
CREATE FUNCTION forget_ended(p_box int, p_epoch bigint, p_age_s bigint, p_limit bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
DECLARE
    v_box  bigint;
    v_more bigint;
    v_all  bigint := 0;
BEGIN
    PERFORM fence(p_box, p_epoch);
    FOR v_box IN SELECT 0 UNION ALL SELECT box FROM boxes LOOP
        WITH gone AS (
            DELETE FROM messages WHERE id IN (
                SELECT o.id FROM (
                    SELECT m.id, m.ended_at FROM messages m WHERE m.id >= v_box << 53 AND m.id < (v_box + 1) << 53
                    ORDER BY m.id LIMIT p_limit - v_all) o
                WHERE o.ended_at < now() - p_age_s * interval '1 second')
            RETURNING id, text_hash
        ), texts_gone AS (
            DELETE FROM texts t USING gone g WHERE t.text_hash = g.text_hash AND t.message = g.id
        )
        SELECT count(*) INTO v_more FROM gone;
        v_all := v_all + v_more;
        EXIT WHEN v_all >= p_limit;
    END LOOP;
    -- Two months are known at most.
    DELETE FROM sim_recipients WHERE ctid IN (SELECT ctid FROM sim_recipients WHERE at < now() - interval '62 days' LIMIT p_limit);
    DELETE FROM mail WHERE ctid IN (SELECT ctid FROM mail WHERE at < now() - p_age_s * interval '1 second' LIMIT p_limit);
    DELETE FROM sim_counts WHERE at < now() - greatest(p_age_s, 62 * 86400) * interval '1 second';
    DELETE FROM sims s WHERE NOT s.present AND NOT EXISTS (SELECT FROM sim_counts c WHERE c.iccid = s.iccid);
    DELETE FROM recipient_sims WHERE recipient IN (
        SELECT recipient FROM recipient_sims WHERE at < now() - p_age_s * interval '1 second' LIMIT p_limit);
    RETURN v_all;
END $$;
