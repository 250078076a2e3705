-- Run once, on the primary, as postgres. `smsrack cluster join` makes the schema, as the owner.
CREATE ROLE owner LOGIN CREATEROLE;
CREATE ROLE smsrack_box NOLOGIN;
CREATE ROLE box LOGIN IN ROLE smsrack_box, pg_monitor;
CREATE DATABASE smsrack OWNER owner TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C';
REVOKE ALL ON DATABASE smsrack FROM PUBLIC;
GRANT CONNECT ON DATABASE smsrack TO smsrack_box;
