-- A beat that also says whether rules and mail wait behind what the box has read, so that it does not ask in vain. Each
-- box of the fleet is one text, since the name of every column would be sent with every answer:
--   box life epoch beats modems awaits_reports engine_node wall held firm owes rate, then a line each: version, name, site.
-- The first text is of box 0: waiting has_rules has_mail. The release before calls `beat`.
CREATE FUNCTION beat_and_look(p_box int, p_epoch bigint, p_version text, p_modems bigint, p_rate float8, p_awaits bigint,
                              p_node boolean, p_wall bigint, p_rules_xact bigint, p_rules bigint, p_mail_xact bigint, p_mail bigint)
    RETURNS SETOF text LANGUAGE plpgsql SECURITY DEFINER SET search_path = smsrack, pg_temp AS $$
DECLARE
    v_newest bigint := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
    v_rules  boolean;
    v_mail   boolean;
BEGIN
    -- What is not readable yet counts too: it is looked for until it is. A mark that is ahead of the engine, as in read_rules.
    v_rules := p_rules_xact >= v_newest OR EXISTS (SELECT FROM rules WHERE (xact, number) > (p_rules_xact, p_rules));
    v_mail := p_mail_xact >= v_newest OR EXISTS (SELECT FROM mail WHERE to_box = p_box AND (xact, number) > (p_mail_xact, p_mail));
    RETURN QUERY SELECT CASE b.o_box
            WHEN 0 THEN format('%s %s %s', b.o_held, v_rules::int, v_mail::int)
            ELSE format(E'%s %s %s %s %s %s %s %s %s %s %s %s\n%s\n%s\n%s', b.o_box, b.o_life, b.o_epoch, b.o_beats, b.o_modems,
                        b.o_awaits, b.o_node::int, b.o_wall, b.o_held, b.o_firm, b.o_owes, b.o_rate, b.o_version, b.o_name, b.o_site)
        END
        FROM beat(p_box, p_epoch, p_version, p_modems, p_rate, p_awaits, p_node, p_wall) b;
END $$;

REVOKE EXECUTE ON FUNCTION beat_and_look FROM PUBLIC;
GRANT EXECUTE ON FUNCTION beat_and_look TO smsrack_box;
