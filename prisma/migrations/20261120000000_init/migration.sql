-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "access";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "books";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "directory";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "events";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "ledger";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "loyalty";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "messaging";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "postpaid";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "prepaid";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "redemption";

-- CreateTable
CREATE TABLE "access"."client" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "phone_number" TEXT,
    "currencies" TEXT[],
    "max_amount" DECIMAL(16,4),
    "monthly_amount" DECIMAL(16,4),
    "max_points" DECIMAL(14,2),
    "monthly_points" DECIMAL(14,2),
    "dummy_cards" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "disabled_at" TIMESTAMPTZ(3),

    CONSTRAINT "client_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "access"."signing_key" (
    "kid" TEXT NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "private_jwk" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "signing_key_pkey" PRIMARY KEY ("kid")
);

-- CreateTable
CREATE TABLE "directory"."account" (
    "account_number" TEXT NOT NULL,
    "customer_name" TEXT,
    "customer_status" TEXT,
    "customer_type" INTEGER,
    "acct_category" TEXT,
    "collection_indicator" TEXT,
    "cust_addr1" TEXT,
    "cust_addr2" TEXT,
    "cust_addr3" TEXT,

    CONSTRAINT "account_pkey" PRIMARY KEY ("account_number")
);

-- CreateTable
CREATE TABLE "directory"."line" (
    "kind" TEXT NOT NULL,
    "number" TEXT NOT NULL,
    "account_number" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "line_pkey" PRIMARY KEY ("number","kind")
);

-- CreateTable
CREATE TABLE "books"."book" (
    "name" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "position" BIGINT NOT NULL DEFAULT 0,
    "written_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "book_pkey" PRIMARY KEY ("name","client_id")
);

-- CreateTable
CREATE TABLE "events"."event" (
    "position" BIGINT NOT NULL,
    "eventid" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "event_type" TEXT NOT NULL,
    "event_time" TIMESTAMPTZ(3) NOT NULL,
    "transaction_id" UUID NOT NULL,
    "operation_status" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "client_correlator_id" TEXT,
    "payment_date" TIMESTAMPTZ(3),
    "client_id" TEXT NOT NULL,
    "account_number" TEXT,
    "mobile_number" TEXT,

    CONSTRAINT "event_pkey" PRIMARY KEY ("position")
);

-- CreateTable
CREATE TABLE "ledger"."balance" (
    "kind" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "amount" DECIMAL(20,4) NOT NULL,

    CONSTRAINT "balance_pkey" PRIMARY KEY ("holder","kind","currency")
);

-- CreateTable
CREATE TABLE "ledger"."entry" (
    "transaction_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "amount" DECIMAL(20,4) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "entry_pkey" PRIMARY KEY ("transaction_id")
);

-- CreateTable
CREATE TABLE "loyalty"."reward" (
    "id" UUID NOT NULL,
    "position" BIGINT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_position" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "client_correlator_id" TEXT,
    "reference_code" TEXT,
    "status" TEXT NOT NULL,
    "completed_at" TIMESTAMPTZ(3),
    "reason" TEXT,
    "account_number" TEXT,
    "mobile_number" TEXT,
    "currency" TEXT,
    "amount" DECIMAL(16,4),
    "points" DECIMAL(14,2),
    "body" JSONB NOT NULL,
    "webhook_url" TEXT,
    "webhook_token" TEXT,

    CONSTRAINT "reward_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "messaging"."message" (
    "id" UUID NOT NULL,
    "position" BIGINT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_position" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "client_correlator_id" TEXT,
    "reference_code" TEXT,
    "status" TEXT NOT NULL,
    "completed_at" TIMESTAMPTZ(3),
    "reason" TEXT,
    "account_number" TEXT,
    "mobile_number" TEXT,
    "currency" TEXT,
    "amount" DECIMAL(16,4),
    "points" DECIMAL(14,2),
    "body" JSONB NOT NULL,
    "webhook_url" TEXT,
    "webhook_token" TEXT,

    CONSTRAINT "message_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "postpaid"."payment" (
    "id" UUID NOT NULL,
    "position" BIGINT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_position" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "client_correlator_id" TEXT,
    "reference_code" TEXT,
    "status" TEXT NOT NULL,
    "completed_at" TIMESTAMPTZ(3),
    "reason" TEXT,
    "account_number" TEXT,
    "mobile_number" TEXT,
    "currency" TEXT,
    "amount" DECIMAL(16,4),
    "points" DECIMAL(14,2),
    "body" JSONB NOT NULL,
    "webhook_url" TEXT,
    "webhook_token" TEXT,

    CONSTRAINT "payment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "prepaid"."recharge" (
    "id" UUID NOT NULL,
    "position" BIGINT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_position" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "client_correlator_id" TEXT,
    "reference_code" TEXT,
    "status" TEXT NOT NULL,
    "completed_at" TIMESTAMPTZ(3),
    "reason" TEXT,
    "account_number" TEXT,
    "mobile_number" TEXT,
    "currency" TEXT,
    "amount" DECIMAL(16,4),
    "points" DECIMAL(14,2),
    "body" JSONB NOT NULL,
    "webhook_url" TEXT,
    "webhook_token" TEXT,

    CONSTRAINT "recharge_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "redemption"."redemption" (
    "id" UUID NOT NULL,
    "position" BIGINT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_position" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "client_correlator_id" TEXT,
    "reference_code" TEXT,
    "status" TEXT NOT NULL,
    "completed_at" TIMESTAMPTZ(3),
    "reason" TEXT,
    "account_number" TEXT,
    "mobile_number" TEXT,
    "currency" TEXT,
    "amount" DECIMAL(16,4),
    "points" DECIMAL(14,2),
    "body" JSONB NOT NULL,
    "webhook_url" TEXT,
    "webhook_token" TEXT,

    CONSTRAINT "redemption_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "line_account_number_idx" ON "directory"."line"("account_number");

-- CreateIndex
CREATE UNIQUE INDEX "event_eventid_key" ON "events"."event"("eventid");

-- CreateIndex
CREATE INDEX "event_kind_position_idx" ON "events"."event"("kind", "position");

-- CreateIndex
CREATE INDEX "event_transaction_id_idx" ON "events"."event"("transaction_id");

-- CreateIndex
CREATE INDEX "entry_holder_kind_currency_idx" ON "ledger"."entry"("holder", "kind", "currency");

-- CreateIndex
CREATE UNIQUE INDEX "reward_position" ON "loyalty"."reward"("position");

-- CreateIndex
CREATE INDEX "reward_created" ON "loyalty"."reward"("created_at");

-- CreateIndex
CREATE INDEX "reward_client_created" ON "loyalty"."reward"("client_id", "created_at");

-- CreateIndex
CREATE INDEX "reward_mobile" ON "loyalty"."reward"("mobile_number", "position");

-- CreateIndex
CREATE UNIQUE INDEX "reward_client_position" ON "loyalty"."reward"("client_id", "client_position");

-- CreateIndex
CREATE UNIQUE INDEX "reward_client_correlator" ON "loyalty"."reward"("client_id", "client_correlator_id");

-- CreateIndex
CREATE UNIQUE INDEX "message_position" ON "messaging"."message"("position");

-- CreateIndex
CREATE INDEX "message_created" ON "messaging"."message"("created_at");

-- CreateIndex
CREATE INDEX "message_client_created" ON "messaging"."message"("client_id", "created_at");

-- CreateIndex
CREATE INDEX "message_mobile" ON "messaging"."message"("mobile_number", "position");

-- CreateIndex
CREATE UNIQUE INDEX "message_client_position" ON "messaging"."message"("client_id", "client_position");

-- CreateIndex
CREATE UNIQUE INDEX "message_client_correlator" ON "messaging"."message"("client_id", "client_correlator_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_position" ON "postpaid"."payment"("position");

-- CreateIndex
CREATE INDEX "payment_created" ON "postpaid"."payment"("created_at");

-- CreateIndex
CREATE INDEX "payment_client_created" ON "postpaid"."payment"("client_id", "created_at");

-- CreateIndex
CREATE INDEX "payment_account" ON "postpaid"."payment"("account_number", "position");

-- CreateIndex
CREATE INDEX "payment_mobile" ON "postpaid"."payment"("mobile_number", "position");

-- CreateIndex
CREATE INDEX "payment_client_reference" ON "postpaid"."payment"("client_id", "reference_code");

-- CreateIndex
CREATE UNIQUE INDEX "payment_client_position" ON "postpaid"."payment"("client_id", "client_position");

-- CreateIndex
CREATE UNIQUE INDEX "payment_client_correlator" ON "postpaid"."payment"("client_id", "client_correlator_id");

-- CreateIndex
CREATE UNIQUE INDEX "recharge_position" ON "prepaid"."recharge"("position");

-- CreateIndex
CREATE INDEX "recharge_created" ON "prepaid"."recharge"("created_at");

-- CreateIndex
CREATE INDEX "recharge_client_created" ON "prepaid"."recharge"("client_id", "created_at");

-- CreateIndex
CREATE INDEX "recharge_mobile" ON "prepaid"."recharge"("mobile_number", "position");

-- CreateIndex
CREATE UNIQUE INDEX "recharge_client_position" ON "prepaid"."recharge"("client_id", "client_position");

-- CreateIndex
CREATE UNIQUE INDEX "recharge_client_correlator" ON "prepaid"."recharge"("client_id", "client_correlator_id");

-- CreateIndex
CREATE UNIQUE INDEX "redemption_position" ON "redemption"."redemption"("position");

-- CreateIndex
CREATE INDEX "redemption_created" ON "redemption"."redemption"("created_at");

-- CreateIndex
CREATE INDEX "redemption_client_created" ON "redemption"."redemption"("client_id", "created_at");

-- CreateIndex
CREATE INDEX "redemption_mobile" ON "redemption"."redemption"("mobile_number", "position");

-- CreateIndex
CREATE UNIQUE INDEX "redemption_client_position" ON "redemption"."redemption"("client_id", "client_position");

-- CreateIndex
CREATE UNIQUE INDEX "redemption_client_correlator" ON "redemption"."redemption"("client_id", "client_correlator_id");

-- CreateIndex
CREATE INDEX "reward_account" ON "loyalty"."reward"("account_number", "position");

-- CreateIndex
CREATE INDEX "message_account" ON "messaging"."message"("account_number", "position");

-- CreateIndex
CREATE INDEX "recharge_account" ON "prepaid"."recharge"("account_number", "position");

-- CreateIndex
CREATE INDEX "redemption_account" ON "redemption"."redemption"("account_number", "position");

-- AddForeignKey
ALTER TABLE "directory"."line" ADD CONSTRAINT "line_account_number_fkey" FOREIGN KEY ("account_number") REFERENCES "directory"."account"("account_number") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What the settler looks for: a handful of rows, however long the table is.
CREATE INDEX "payment_pending" ON "postpaid"."payment" ("position") WHERE "status" = 'processing';
CREATE INDEX "recharge_pending" ON "prepaid"."recharge" ("position") WHERE "status" = 'processing';
CREATE INDEX "message_pending" ON "messaging"."message" ("position") WHERE "status" = 'accepted';
CREATE INDEX "reward_pending" ON "loyalty"."reward" ("position") WHERE "status" = 'processing';
CREATE INDEX "redemption_pending" ON "redemption"."redemption" ("position") WHERE "status" = 'processing';

-- Points cannot be overdrawn, whatever the program does.
ALTER TABLE "ledger"."balance" ADD CONSTRAINT "points_not_below_zero" CHECK ("kind" <> 'points' OR "amount" >= 0);

-- Which kind a transaction is of, and whose, by its id alone.
CREATE VIEW "events"."transaction" AS
  SELECT "id", "client_id", 'PAYMENT' AS "kind" FROM "postpaid"."payment"
  UNION ALL SELECT "id", "client_id", 'RECHARGE' FROM "prepaid"."recharge"
  UNION ALL SELECT "id", "client_id", 'MESSAGE' FROM "messaging"."message"
  UNION ALL SELECT "id", "client_id", 'REWARD' FROM "loyalty"."reward"
  UNION ALL SELECT "id", "client_id", 'REDEMPTION' FROM "redemption"."redemption";
