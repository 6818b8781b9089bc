-- Makes a role that reads the views of the schema analytics, and nothing else. Run it as the owner of the database:
--   psql "$DATABASE_URL" -v role=bi -v partner= -f ops/analytics/reader.sql
--   psql "$DATABASE_URL" -v role=bi_shop -v partner=shop -f ops/analytics/reader.sql
-- Without a partner the role reads everything, with one what that client posted. Then set its password: \password bi
-- It can change nothing, and a question of more than a minute is ended.
CREATE ROLE :"role" LOGIN NOINHERIT CONNECTION LIMIT 10;
ALTER ROLE :"role" SET default_transaction_read_only = on;
ALTER ROLE :"role" SET statement_timeout = '60s';
ALTER ROLE :"role" SET idle_in_transaction_session_timeout = '60s';
GRANT USAGE ON SCHEMA analytics TO :"role";
GRANT SELECT ON analytics.daily_v1, analytics.daily_merchants_v1, analytics.transactions_v1, analytics.partners_v1,
  analytics.customers_v1 TO :"role";
INSERT INTO analytics.reader (role_name, client_id) VALUES (:'role', nullif(:'partner', ''))
  ON CONFLICT (role_name) DO UPDATE SET client_id = excluded.client_id;
