-- A person's word about a box ends the newest decision of the policy of scaling, where that is about the same box: also for a box that
-- starts only afterwards. It counts as a decision, so the next step of the policy, which names the number that it follows, is
-- refused. The row of decisions is locked first, as in decide_life.
CREATE OR REPLACE FUNCTION set_life(p_box int, p_epoch bigint, p_name text, p_life int) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
DECLARE
    v_box int;
BEGIN
    PERFORM FROM engine WHERE p_life IN (3, 4) FOR UPDATE;
    PERFORM FROM decisions FOR UPDATE;
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
    UPDATE decisions SET number = number + 1, box = 0, life = 0 WHERE box = v_box;
    UPDATE boxes SET life = p_life::smallint, epoch = epoch + CASE WHEN p_life IN (3, 4) THEN 1 ELSE 0 END WHERE box = v_box;
    IF p_life IN (3, 4) THEN
        PERFORM release_held(p_box, v_box);
    END IF;
    IF p_life = 3 THEN
        UPDATE boxes SET owes = 2 FROM engine e WHERE box = v_box AND (e.doubted OR owes = 1);
    END IF;
END $$;
