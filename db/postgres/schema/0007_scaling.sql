-- What boxes say of their work, and what the policy of scaling has decided. A release that does not know these does without.
CREATE TABLE loads (
    box  int PRIMARY KEY,
    form text NOT NULL  -- in the words of src/cluster
) WITH (fillfactor = 50);

-- One row: the newest decision.
CREATE TABLE decisions (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    number   bigint NOT NULL DEFAULT 0,
    by_box   int NOT NULL DEFAULT 0,
    box      int NOT NULL DEFAULT 0,
    life     smallint NOT NULL DEFAULT 0,
    form     text NOT NULL DEFAULT ''
) WITH (fillfactor = 50);
INSERT INTO decisions DEFAULT VALUES;

-- The first row has the newest decision, the others what each box said.
CREATE FUNCTION share_load(p_box int, p_epoch bigint, p_form text)
    RETURNS TABLE (o_box int, o_form text, o_number bigint, o_by int, o_life smallint)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
BEGIN
    PERFORM fence(p_box, p_epoch);
    INSERT INTO loads VALUES (p_box, p_form) ON CONFLICT (box) DO UPDATE SET form = excluded.form;
    RETURN QUERY SELECT d.box, d.form, d.number, d.by_box, d.life FROM decisions d;
    RETURN QUERY SELECT l.box, l.form, NULL::bigint, NULL::int, NULL::smallint
                 FROM loads l JOIN boxes b ON b.box = l.box WHERE b.life <> 4 ORDER BY l.box;
END $$;

-- The row of the decision is locked first, then that of the box that it is about, then, by the fence, that of this box: so no two
-- boxes that decide about each other wait for each other.
CREATE FUNCTION decide_life(p_box int, p_epoch bigint, p_after bigint, p_of int, p_from int, p_to int, p_form text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
DECLARE
    v_number bigint;
    v_kept   boolean;
BEGIN
    UPDATE decisions SET number = number + 1, by_box = p_box, box = p_of, life = p_to::smallint, form = p_form
        WHERE number = p_after RETURNING number INTO v_number;
    v_kept := FOUND;
    IF v_kept THEN
        UPDATE boxes SET life = p_to::smallint WHERE box = p_of AND life = p_from;
        v_kept := FOUND;
    END IF;
    PERFORM fence(p_box, p_epoch);
    IF NOT v_kept THEN
        RAISE EXCEPTION 'another decision was first, or box % has another life', p_of USING ERRCODE = 'SR002';
    END IF;
    RETURN v_number;
END $$;

REVOKE EXECUTE ON FUNCTION share_load, decide_life FROM PUBLIC;
GRANT EXECUTE ON FUNCTION share_load, decide_life TO smsrack_box;
