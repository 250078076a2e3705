-- What boxes tell each other. A number is drawn before its transaction commits, so a row with a lower number can become
-- visible after one with a higher number. Each row therefore has the number of its transaction, and is read only below
-- the oldest transaction that is open: no row that becomes visible later comes before what was read.
CREATE FUNCTION keep_rules(p_box int, p_epoch bigint, p_kinds smallint[], p_subjects text[], p_holds boolean[], p_forms text[],
                           p_numbers bigint[])
    RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
DECLARE
    v_before bigint;
BEGIN
    PERFORM fence(p_box, p_epoch);
    SELECT number INTO v_before FROM rule_marks WHERE box = p_box;
    INSERT INTO rules (kind, subject, holds, form, xact)
        SELECT u.kind, coalesce(u.subject, ''), u.holds, coalesce(u.form, ''), pg_current_xact_id()::text::bigint
        FROM unnest(p_kinds, p_subjects, p_holds, p_forms, p_numbers) AS u (kind, subject, holds, form, number)
        WHERE u.number > coalesce(v_before, 0) ORDER BY u.kind, u.subject
        ON CONFLICT (kind, subject) DO UPDATE
        SET holds = excluded.holds, form = excluded.form, xact = excluded.xact, number = excluded.number;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    INSERT INTO rule_marks SELECT p_box, max(u) FROM unnest(p_numbers) u
        ON CONFLICT (box) DO UPDATE SET number = excluded.number;
    NOTIFY smsrack_rules;
END $$;

CREATE FUNCTION read_rules(p_box int, p_epoch bigint, p_xact bigint, p_number bigint, p_limit bigint)
    RETURNS TABLE (o_kind smallint, o_subject text, o_holds boolean, o_form text, o_xact bigint, o_number bigint)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
BEGIN
    PERFORM fence(p_box, p_epoch);
    -- A place that is ahead of the engine is of another engine, or of this one before it was restored.
    IF p_xact >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint THEN
        p_xact := 0;
        p_number := 0;
    END IF;
    RETURN QUERY SELECT kind, subject, holds, form, xact, number FROM rules
        WHERE (xact, number) > (p_xact, p_number) AND xact < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
        ORDER BY xact, number LIMIT p_limit;
END $$;

CREATE FUNCTION send_mail(p_box int, p_epoch bigint, p_to int[], p_forms text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
BEGIN
    PERFORM fence(p_box, p_epoch);
    INSERT INTO mail (to_box, form, xact)
        SELECT u.to_box, coalesce(u.form, ''), pg_current_xact_id()::text::bigint
        FROM unnest(p_to, p_forms) WITH ORDINALITY AS u (to_box, form, n) ORDER BY u.n;
END $$;

CREATE FUNCTION read_mail(p_box int, p_epoch bigint, p_xact bigint, p_number bigint, p_limit bigint)
    RETURNS TABLE (o_form text, o_xact bigint, o_number bigint)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
BEGIN
    PERFORM fence(p_box, p_epoch);
    IF p_xact >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint THEN  -- as in read_rules
        p_xact := 0;
        p_number := 0;
    END IF;
    DELETE FROM mail WHERE to_box = p_box AND (xact, number) <= (p_xact, p_number);
    RETURN QUERY SELECT form, xact, number FROM mail
        WHERE to_box = p_box AND (xact, number) > (p_xact, p_number)
          AND xact < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
        ORDER BY xact, number LIMIT p_limit;
END $$;
