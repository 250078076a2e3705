-- What the promises of a fleet need of the engine. These run with the rights of the box's role, which is in pg_monitor.

-- Asked after a commit that came without a warning: it waited for the standby, unless the list of standbys was emptied
-- meanwhile. A synchronous standby that is there, and has what was written before the commit, shows that it was not.
-- (Not in SQL: the server would read its text again in each call.)
CREATE FUNCTION two_disks() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    v_written pg_lsn := coalesce(nullif(current_setting('smsrack.written', true), ''), '0/0');
BEGIN
    RETURN EXISTS (SELECT FROM pg_stat_get_wal_senders() s
                   WHERE s.sync_state IN ('sync', 'quorum') AND s.flush_lsn >= v_written);
END $$;

-- The last call of a transaction.
CREATE FUNCTION note_written() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('smsrack.written', pg_current_wal_insert_lsn()::text, false);
END $$;

CREATE FUNCTION check_engine(p_known int)
    RETURNS TABLE (o_name text, o_value text, o_good boolean, o_advice text) LANGUAGE plpgsql AS $$
DECLARE
    v_number int;
    v_oldest int;
BEGIN
    o_name := 'version';
    o_value := current_setting('server_version');
    o_good := current_setting('server_version_num')::int >= 150000;
    o_advice := 'PostgreSQL 15 or later is needed';
    RETURN NEXT;

    o_name := 'synchronous_commit';
    o_value := current_setting('synchronous_commit');
    o_good := o_value IN ('on', 'remote_apply');
    o_advice := 'set synchronous_commit = on';
    RETURN NEXT;

    o_name := 'synchronous_standby';
    SELECT string_agg(application_name, ', ') INTO o_value FROM pg_stat_replication
        WHERE sync_state IN ('sync', 'quorum') AND state = 'streaming';
    o_good := o_value IS NOT NULL;
    o_value := coalesce(o_value, 'none');
    o_advice := 'a message is on one disk only: start a standby, and name it in synchronous_standby_names';
    RETURN NEXT;

    o_name := 'standby_lag';
    SELECT coalesce(max(pg_wal_lsn_diff(pg_current_wal_flush_lsn(), flush_lsn)), 0)::text || ' bytes',
           coalesce(max(pg_wal_lsn_diff(pg_current_wal_flush_lsn(), flush_lsn)), 0) < 256 * 1024 * 1024
        INTO o_value, o_good FROM pg_stat_replication;
    o_advice := 'a standby is behind: look at its disk and its link';
    RETURN NEXT;

    FOR o_name, o_value, o_good, o_advice IN
        SELECT s.name, current_setting(s.name), current_setting(s.name) <> s.bad, 'set ' || s.name || s.advice
        FROM (VALUES ('max_slot_wal_keep_size', '-1', ': a standby that is away fills the disk of the primary'),
                     ('data_checksums', 'off', ' = on (pg_checksums --enable)'),
                     ('fsync', 'off', ' = on'),
                     ('full_page_writes', 'off', ' = on')) AS s (name, bad, advice)
    LOOP
        RETURN NEXT;
    END LOOP;

    o_name := 'wal_disk';
    SELECT coalesce(sum(size), 0)::text || ' bytes',
           coalesce(sum(size), 0) <= (SELECT 4 * setting::bigint * 1024 * 1024 FROM pg_settings WHERE name = 'max_wal_size')
        INTO o_value, o_good FROM pg_ls_waldir();
    o_advice := 'the write-ahead log is four times max_wal_size: a slot or a failing archive keeps it';
    RETURN NEXT;

    -- It delays what other boxes read.
    o_name := 'oldest_transaction';
    SELECT coalesce(extract(epoch FROM max(clock_timestamp() - xact_start))::int, 0)::text || ' s',
           coalesce(max(clock_timestamp() - xact_start) < interval '1 minute', true)
        INTO o_value, o_good FROM pg_stat_activity WHERE backend_xid IS NOT NULL;
    o_advice := 'a transaction is open for long, so that STOPs and pauses of other boxes are not read: end it';
    RETURN NEXT;

    o_name := 'schema';
    SELECT max(number) INTO v_number FROM smsrack.schema_steps;
    SELECT max(oldest) INTO v_oldest FROM smsrack.schema_reader;
    o_value := v_number::text;
    o_good := v_number >= p_known AND p_known >= v_oldest;
    o_advice := CASE WHEN v_number < p_known THEN 'run `smsrack cluster join`, which brings it to schema ' || p_known
                     ELSE 'install the release with schema ' || v_oldest || ' or a later one' END;
    RETURN NEXT;

    o_name := 'role';
    o_value := current_user;
    SELECT NOT pg_has_role(current_user, nspowner, 'USAGE') INTO o_good FROM pg_namespace WHERE nspname = 'smsrack';
    o_advice := 'a box must not own the schema: give it another role, a member of smsrack_box and pg_monitor';
    RETURN NEXT;

    o_name := 'pg_monitor';
    o_good := pg_has_role(current_user, 'pg_monitor', 'USAGE');
    o_value := CASE WHEN o_good THEN 'member' ELSE 'not a member' END;
    o_advice := 'GRANT pg_monitor TO ' || quote_ident(current_user);
    RETURN NEXT;
END $$;

REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA smsrack FROM PUBLIC;
GRANT EXECUTE ON FUNCTION register_box, enter_fleet, beat, take_over, set_life, name_sims, put_messages, take_messages,
    firm_messages, give_back, settle_messages, take_firm, find_messages, forget_ended, keep_rules, read_rules, send_mail, read_mail,
    two_disks, note_written, check_engine, doubt, rebuild,
    note_put_back, put_pairs TO smsrack_box;
