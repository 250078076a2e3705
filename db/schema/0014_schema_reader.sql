-- Version 14: which earlier programs may use the database as it is, so that a box can go back to the release before.
--
-- A later migration leaves this row as it is where programs from `oldest` on can read and write beside what it adds (a table or a column that
-- may stay empty), and sets it to its own number where they can't.

CREATE TABLE schema_reader (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    oldest  INTEGER NOT NULL  -- version of the schema that a program must know at least
) STRICT;
INSERT INTO schema_reader VALUES (1, 14);
