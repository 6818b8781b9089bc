-- The request that posted a transaction, of older ones it is not known.
ALTER TABLE "loyalty"."reward" ADD COLUMN     "correlator" TEXT;
ALTER TABLE "messaging"."message" ADD COLUMN     "correlator" TEXT;
ALTER TABLE "postpaid"."payment" ADD COLUMN     "correlator" TEXT;
ALTER TABLE "prepaid"."recharge" ADD COLUMN     "correlator" TEXT;
ALTER TABLE "redemption"."redemption" ADD COLUMN     "correlator" TEXT;

-- AlterTable
ALTER TABLE "activity"."entry" ADD COLUMN     "client_correlator_id" TEXT,
ADD COLUMN     "correlator" TEXT,
ADD COLUMN     "exception" TEXT,
ADD COLUMN     "reason" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "reference_code" TEXT;

-- The ids in a text that stand between blanks, whole and in lower case: what a correlator is found by.
CREATE FUNCTION "activity"."tokens"("text" TEXT) RETURNS TEXT[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT left(token, 256)), '{}')
  FROM regexp_split_to_table(lower("text"), '\s+') AS token
  WHERE token <> ''
$$;

-- What is searched for in the words of entries: each part of the text between blanks as the words that it consists of,
-- the last one by its beginning, or whole as the beginning of an id. Of a part that would be too many words, whole alone.
CREATE FUNCTION "activity"."query"("text" TEXT) RETURNS TSQUERY LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_agg(
    '(' || coalesce('(' || part.words || ') | ', '') || '''' || replace(replace(token, '\', '\\'), '''', '''''') || ''':*)',
    ' & ')::tsquery
  FROM unnest(activity.tokens("text")) AS token, LATERAL (
    SELECT count(*) AS words_in_it,
      CASE WHEN count(*) <= 10 THEN string_agg('''' || left(w.word, 64) || CASE WHEN w.last THEN ''':*' ELSE '''' END, ' & ') END AS words
    FROM (SELECT word, nth = max(nth) OVER () AS last
      FROM regexp_split_to_table(token, '[\s!-/:-@\[-`{-~،؛؟]+') WITH ORDINALITY AS parted (word, nth) WHERE word <> '') w) part
  WHERE part.words_in_it > 0
$$;

-- A reason as transactions are grouped by it: on one line, short enough for a key, the numbers in it left out, since
-- reasons that differ in whose balance did not suffice are one.
CREATE FUNCTION "activity"."reason"("text" TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT left(btrim(regexp_replace(regexp_replace(left(coalesce("text", ''), 400), '\d{3,}', '…', 'g'), '\s+', ' ', 'g')), 100)
$$;

-- The place in the order by amount, as one number: the amount, then the place in time. The factor is 10,000 (the
-- decimals of an amount) times 2^63 (which no place in time reaches).
CREATE FUNCTION "activity"."amount_key"("amount" NUMERIC, "sort" BIGINT) RETURNS NUMERIC LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce("amount", 0) * 92233720368547758080000 + "sort"
$$;

-- Older entries say what their rows say, as new ones do, what has become of a row since is projected with its event.
UPDATE "activity"."entry" e SET
  "reason" = CASE WHEN t.status = e.status THEN activity.reason(t.reason) ELSE '' END,
  "exception" = CASE WHEN e.outcome IN ('PENDING', 'COMPLETED') THEN NULL ELSE e.outcome END,
  "client_correlator_id" = left(t.client_correlator_id, 256),
  "reference_code" = left(t.reference_code, 256),
  "words" = coalesce(e.words, '') || array_to_tsvector(activity.tokens(coalesce(t.client_correlator_id, '')))
FROM (
  SELECT id, status, reason, client_correlator_id, reference_code FROM postpaid.payment
  UNION ALL SELECT id, status, reason, client_correlator_id, reference_code FROM prepaid.recharge
  UNION ALL SELECT id, status, reason, client_correlator_id, reference_code FROM messaging.message
  UNION ALL SELECT id, status, reason, client_correlator_id, reference_code FROM loyalty.reward
  UNION ALL SELECT id, status, reason, client_correlator_id, reference_code FROM redemption.redemption
) t WHERE t.id = e.id;

-- The sums tell reasons apart, and are added up anew.
TRUNCATE "activity"."holder_day", "activity"."client_day", "activity"."total_day";

-- AlterTable
ALTER TABLE "activity"."client_day" DROP CONSTRAINT "client_day_pkey",
ADD COLUMN     "reason" TEXT NOT NULL DEFAULT '',
ADD CONSTRAINT "client_day_pkey" PRIMARY KEY ("client_id", "day", "kind", "outcome", "channel", "merchant", "currency", "reason");

-- AlterTable
ALTER TABLE "activity"."holder_day" DROP CONSTRAINT "holder_day_pkey",
ADD COLUMN     "reason" TEXT NOT NULL DEFAULT '',
ADD CONSTRAINT "holder_day_pkey" PRIMARY KEY ("account_number", "day", "mobile_number", "client_id", "kind", "outcome", "channel", "merchant", "currency", "reason");

-- AlterTable
ALTER TABLE "activity"."total_day" DROP CONSTRAINT "total_day_pkey",
ADD COLUMN     "reason" TEXT NOT NULL DEFAULT '',
ADD CONSTRAINT "total_day_pkey" PRIMARY KEY ("day", "client_id", "kind", "outcome", "currency", "reason");

-- Without a time zone nothing has been projected, and there is no entry.
CREATE TEMPORARY VIEW "share" AS
  SELECT coalesce(e.account_number, '') AS account_number,
    (e.occurred_at AT TIME ZONE (SELECT p.timezone FROM activity.progress p WHERE p.name = 'event'))::date AS day,
    coalesce(e.mobile_number, '') AS mobile_number, e.client_id, e.kind, e.outcome, e.channel, e.merchant,
    coalesce(e.currency, '') AS currency, e.reason, coalesce(e.amount, 0) AS amount, coalesce(e.points, 0) AS points
  FROM activity.entry e;

INSERT INTO "activity"."holder_day" (account_number, day, mobile_number, client_id, kind, outcome, channel, merchant, currency, reason, entries, amount, points)
SELECT account_number, day, mobile_number, client_id, kind, outcome, channel, merchant, currency, reason, count(*), sum(amount), sum(points)
FROM "share" GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;

INSERT INTO "activity"."client_day" (client_id, day, kind, outcome, channel, merchant, currency, reason, entries, amount, points)
SELECT client_id, day, kind, outcome, channel, merchant, currency, reason, count(*), sum(amount), sum(points)
FROM "share" GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;

INSERT INTO "activity"."total_day" (day, client_id, kind, outcome, currency, reason, entries, amount, points)
SELECT day, client_id, kind, outcome, currency, reason, count(*), sum(amount), sum(points)
FROM "share" GROUP BY 1, 2, 3, 4, 5, 6;

DROP VIEW "share";

-- CreateIndex
CREATE INDEX "client_day_merchant" ON "activity"."client_day"("merchant", "day");
CREATE INDEX "entry_kind" ON "activity"."entry"("kind", "sort");
CREATE INDEX "entry_merchant" ON "activity"."entry"("merchant", "sort");
CREATE INDEX "entry_amount" ON "activity"."entry" (activity.amount_key("amount", "sort"));

-- What failed, was cancelled or taken back: few among many. The column stays null when a pending entry is completed,
-- so that the index costs such a change nothing.
CREATE INDEX "entry_exception" ON "activity"."entry" ("exception", "sort") WHERE "exception" IS NOT NULL;
