-- CreateTable
CREATE TABLE "charging"."set_aside" (
    "transaction_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 1,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "set_aside_pkey" PRIMARY KEY ("transaction_id")
);

-- CreateIndex
CREATE INDEX "set_aside_due" ON "charging"."set_aside"("kind", "due_at");

-- What waits is found by the progress of its kind from here on. It begins before the first that waits, or after the last.
INSERT INTO "charging"."progress" ("kind", "position")
SELECT w."kind", coalesce(w."first" - 1, (SELECT b."position" FROM "books"."book" b WHERE b."name" = w."table" AND b."client_id" = ''), 0)
FROM (
  SELECT 'PAYMENT', 'payment', (SELECT min("position") FROM "postpaid"."payment" WHERE "status" = 'processing')
  UNION ALL SELECT 'RECHARGE', 'recharge', (SELECT min("position") FROM "prepaid"."recharge" WHERE "status" = 'processing')
  UNION ALL SELECT 'MESSAGE', 'message', (SELECT min("position") FROM "messaging"."message" WHERE "status" = 'accepted')
  UNION ALL SELECT 'REWARD', 'reward', (SELECT min("position") FROM "loyalty"."reward" WHERE "status" = 'processing')
  UNION ALL SELECT 'REDEMPTION', 'redemption', (SELECT min("position") FROM "redemption"."redemption" WHERE "status" = 'processing')
) AS w ("kind", "table", "first")
ON CONFLICT DO NOTHING;

-- No index names the status any more, and a page has room for the second form of its rows: the one that a transaction gets
-- with its final status touches no index then, and the WAL holds what changed of the row instead of all of it.
DROP INDEX "postpaid"."payment_pending";
DROP INDEX "prepaid"."recharge_pending";
DROP INDEX "messaging"."message_pending";
DROP INDEX "loyalty"."reward_pending";
DROP INDEX "redemption"."redemption_pending";
ALTER TABLE "postpaid"."payment" SET (fillfactor = 50);
ALTER TABLE "prepaid"."recharge" SET (fillfactor = 50);
ALTER TABLE "messaging"."message" SET (fillfactor = 50);
ALTER TABLE "loyalty"."reward" SET (fillfactor = 50);
ALTER TABLE "redemption"."redemption" SET (fillfactor = 50);
