-- Mail that someone waits for: the boxes that it is for are notified, and look at once, not only where their next beat says that there
-- is some.
CREATE FUNCTION hurry_mail(p_box int, p_epoch bigint, p_to int[], p_forms text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
BEGIN
    PERFORM send_mail(p_box, p_epoch, p_to, p_forms);
    PERFORM pg_notify('smsrack_mail', u::text) FROM (SELECT DISTINCT unnest(p_to) AS u) t;
END $$;

REVOKE EXECUTE ON FUNCTION hurry_mail FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hurry_mail TO smsrack_box;

-- As before, but no more at a time than a narrow link carries in seconds: letters of 12 KiB in all, or one that is larger.
CREATE OR REPLACE FUNCTION read_mail(p_box int, p_epoch bigint, p_xact bigint, p_number bigint, p_limit bigint)
    RETURNS TABLE (o_form text, o_xact bigint, o_number bigint)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
BEGIN
    PERFORM fence(p_box, p_epoch);
    IF p_xact >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint THEN  -- as in read_rules
        p_xact := 0;
        p_number := 0;
    END IF;
    DELETE FROM mail WHERE to_box = p_box AND (xact, number) <= (p_xact, p_number);
    RETURN QUERY SELECT m.form, m.xact, m.number
        FROM (SELECT form, xact, number, sum(octet_length(form)) OVER (ORDER BY xact, number) - octet_length(form) AS before
              FROM mail
              WHERE to_box = p_box AND (xact, number) > (p_xact, p_number)
                AND xact < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
              ORDER BY xact, number LIMIT p_limit) m
        WHERE m.before = 0 OR m.before + octet_length(m.form) <= 12288 ORDER BY m.xact, m.number;
END $$;
