-- expand
-- locks: nothing that is there
-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "analytics";

-- CreateTable
CREATE TABLE "analytics"."reader" (
    "role_name" TEXT NOT NULL,
    "client_id" TEXT,

    CONSTRAINT "reader_pkey" PRIMARY KEY ("role_name")
);

-- The views are a contract (docs/bi.md): what is published as v1 keeps its columns, and what differs is published as v2
-- beside it. None has a card, an address, a secret, a name of a customer or a phone number. A reader sees its rows alone: the
-- barrier keeps its own functions away from those of others.
CREATE VIEW "analytics"."daily_v1" WITH (security_barrier) AS
SELECT s.day, s.client_id AS partner, s.kind, s.outcome, s.reason, nullif(s.currency, '') AS currency,
  s.entries AS transactions, s.amount, s.points
FROM activity.total_day s
WHERE EXISTS (SELECT FROM analytics.reader r WHERE r.role_name = current_user AND r.client_id IS NULL)
  OR s.client_id = (SELECT r.client_id FROM analytics.reader r WHERE r.role_name = current_user);

CREATE VIEW "analytics"."daily_merchants_v1" WITH (security_barrier) AS
SELECT s.day, s.client_id AS partner, s.kind, s.outcome, s.reason, nullif(s.channel, '') AS channel,
  nullif(s.merchant, '') AS merchant, nullif(s.currency, '') AS currency, s.entries AS transactions, s.amount, s.points
FROM activity.client_day s
WHERE EXISTS (SELECT FROM analytics.reader r WHERE r.role_name = current_user AND r.client_id IS NULL)
  OR s.client_id = (SELECT r.client_id FROM analytics.reader r WHERE r.role_name = current_user);

CREATE VIEW "analytics"."transactions_v1" WITH (security_barrier) AS
SELECT e.id, e.sort AS sort_key, e.kind, e.client_id AS partner, e.account_number AS customer,
  e.occurred_at, e.occurred_at AT TIME ZONE (SELECT p.timezone FROM activity.progress p WHERE p.name = 'event') AS local_time,
  e.outcome, e.status, nullif(e.reason, '') AS reason, e.currency, e.amount, e.points, nullif(e.channel, '') AS channel,
  nullif(e.merchant, '') AS merchant, nullif(e.product, '') AS product, nullif(e.payment_method, '') AS payment_method, e.settled_ms
FROM activity.entry e
WHERE EXISTS (SELECT FROM analytics.reader r WHERE r.role_name = current_user AND r.client_id IS NULL)
  OR e.client_id = (SELECT r.client_id FROM analytics.reader r WHERE r.role_name = current_user);

CREATE VIEW "analytics"."partners_v1" WITH (security_barrier) AS
SELECT c.id AS partner, c.name, c.disabled_at IS NULL AS active
FROM access.client c
WHERE c.role = 'partner' AND (
  EXISTS (SELECT FROM analytics.reader r WHERE r.role_name = current_user AND r.client_id IS NULL)
  OR c.id = (SELECT r.client_id FROM analytics.reader r WHERE r.role_name = current_user));

CREATE VIEW "analytics"."customers_v1" WITH (security_barrier) AS
SELECT a.account_number AS customer, a.acct_category AS category, a.customer_status AS status, a.customer_type AS type,
  a.collection_indicator, a.closed, coalesce(b.amount, 0) AS dues
FROM directory.account a
LEFT JOIN ledger.balance b ON b.kind = 'dues' AND b.holder = a.account_number AND b.currency = 'OMR'
WHERE EXISTS (SELECT FROM analytics.reader r WHERE r.role_name = current_user AND r.client_id IS NULL);

-- The place of an instant in the order of transactions_v1, which has an index, while its times have none.
CREATE FUNCTION "analytics"."sort_key_v1"("instant" TIMESTAMPTZ) RETURNS BIGINT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (extract(epoch FROM "instant") * 1000)::bigint * 524288
$$;

COMMENT ON SCHEMA "analytics" IS 'Versioned views for BI tools; docs/bi.md explains them';
COMMENT ON VIEW "analytics"."daily_v1" IS 'Sums by day of the operator''s time zone, partner, kind, outcome, reason and currency: the fastest';
COMMENT ON VIEW "analytics"."daily_merchants_v1" IS 'The same with channel and merchant';
COMMENT ON VIEW "analytics"."transactions_v1" IS 'Every transaction; narrow it by sort_key, which has an index';
COMMENT ON VIEW "analytics"."partners_v1" IS 'Partners with the names they are known by';
COMMENT ON VIEW "analytics"."customers_v1" IS 'Accounts with category and dues, without names; for readers of everything alone';
COMMENT ON COLUMN "analytics"."daily_v1"."amount" IS 'Sum of the money of all of them, whatever they came to: outcome = COMPLETED is what was moved';
COMMENT ON COLUMN "analytics"."transactions_v1"."local_time" IS 'occurred_at in the operator''s time zone';
COMMENT ON COLUMN "analytics"."transactions_v1"."settled_ms" IS 'Milliseconds until the final status; null while it is pending';
