-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "activity";

-- CreateTable
CREATE TABLE "activity"."entry" (
    "id" UUID NOT NULL,
    "sort" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "account_number" TEXT,
    "mobile_number" TEXT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "status" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "currency" TEXT,
    "amount" DECIMAL(16,4),
    "points" DECIMAL(14,2),
    "channel" TEXT NOT NULL DEFAULT '',
    "merchant" TEXT NOT NULL DEFAULT '',
    "text" TEXT NOT NULL DEFAULT '',
    "words" tsvector,

    CONSTRAINT "entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "activity"."holder_day" (
    "account_number" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "mobile_number" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "merchant" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "entries" BIGINT NOT NULL,
    "amount" DECIMAL(24,4) NOT NULL,
    "points" DECIMAL(22,2) NOT NULL,

    CONSTRAINT "holder_day_pkey" PRIMARY KEY ("account_number","day","mobile_number","client_id","kind","outcome","channel","merchant","currency")
);

-- CreateTable
CREATE TABLE "activity"."client_day" (
    "client_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "kind" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "merchant" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "entries" BIGINT NOT NULL,
    "amount" DECIMAL(24,4) NOT NULL,
    "points" DECIMAL(22,2) NOT NULL,

    CONSTRAINT "client_day_pkey" PRIMARY KEY ("client_id","day","kind","outcome","channel","merchant","currency")
);

-- CreateTable
CREATE TABLE "activity"."total_day" (
    "day" DATE NOT NULL,
    "client_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "entries" BIGINT NOT NULL,
    "amount" DECIMAL(24,4) NOT NULL,
    "points" DECIMAL(22,2) NOT NULL,

    CONSTRAINT "total_day_pkey" PRIMARY KEY ("day","client_id","kind","outcome","currency")
);

-- CreateTable
CREATE TABLE "activity"."progress" (
    "name" TEXT NOT NULL,
    "position" BIGINT NOT NULL DEFAULT 0,
    "timezone" TEXT NOT NULL,

    CONSTRAINT "progress_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "entry_sort" ON "activity"."entry"("sort");

-- CreateIndex
CREATE INDEX "entry_client" ON "activity"."entry"("client_id", "sort");

-- CreateIndex
CREATE INDEX "entry_account" ON "activity"."entry"("account_number", "sort");

-- CreateIndex
CREATE INDEX "entry_mobile" ON "activity"."entry"("mobile_number", "sort");

-- CreateIndex
CREATE INDEX "entry_words" ON "activity"."entry" USING GIN ("words");

-- CreateIndex
CREATE INDEX "holder_day_mobile" ON "activity"."holder_day"("mobile_number", "day");

-- The words of a text, in lower case: what a search for the beginnings of words is held against. Longer words than
-- anyone searches for are cut, so that no text is too long for the index.
CREATE FUNCTION "activity"."words"("text" TEXT) RETURNS TEXT[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT left(word, 64)), '{}')
  FROM regexp_split_to_table(lower("text"), '[\s!-/:-@\[-`{-~،؛؟]+') AS word
  WHERE word <> ''
$$;

-- Sums are rewritten in place, which is cheap where a page has room for it.
ALTER TABLE "activity"."entry" SET (fillfactor = 90);
ALTER TABLE "activity"."holder_day" SET (fillfactor = 90);
ALTER TABLE "activity"."client_day" SET (fillfactor = 70);
ALTER TABLE "activity"."total_day" SET (fillfactor = 50);

-- Where the timeline stands. The server says at its start in which time zone its days are.
INSERT INTO "activity"."progress" ("name", "timezone")
VALUES ('payment', ''), ('recharge', ''), ('message', ''), ('reward', ''), ('redemption', ''), ('event', '');
