-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "charging";

-- AlterTable
ALTER TABLE "ledger"."balance" ADD COLUMN     "elsewhere" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "charging"."order" (
    "transaction_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "owner" TEXT COLLATE "C" NOT NULL,
    "position" BIGINT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "submitted_at" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "leased_until" TIMESTAMPTZ(3),
    "leased_by" UUID,
    "last_error" TEXT,
    "outcome" TEXT,
    "reason" TEXT,
    "concluded_at" TIMESTAMPTZ(3),

    CONSTRAINT "order_pkey" PRIMARY KEY ("transaction_id")
);

-- CreateTable
CREATE TABLE "charging"."progress" (
    "kind" TEXT NOT NULL,
    "position" BIGINT NOT NULL,

    CONSTRAINT "progress_pkey" PRIMARY KEY ("kind")
);

-- What is still under way: a handful of rows, however long the table is. The first finds the owners and the first order
-- of each, the second what is held by the charging system, the third what it has told, the fourth what is too late.
CREATE INDEX "order_open" ON "charging"."order" ("kind", "owner", "position") WHERE "state" IN ('waiting', 'sent');
CREATE INDEX "order_held" ON "charging"."order" ("kind", "next_attempt_at") WHERE "state" IN ('pending', 'reserved');
CREATE INDEX "order_known" ON "charging"."order" ("kind", "transaction_id") WHERE "state" = 'known';
CREATE INDEX "order_expiring" ON "charging"."order" ("kind", "expires_at") WHERE "state" = 'waiting' AND "expires_at" IS NOT NULL;

-- A balance that an outside charging system moves is only noted here. What points there are at the outset may be told
-- late, so that a redemption it carried out can be noted before.
ALTER TABLE "ledger"."balance" DROP CONSTRAINT "points_not_below_zero";
ALTER TABLE "ledger"."balance" ADD CONSTRAINT "points_not_below_zero" CHECK ("kind" <> 'points' OR "amount" >= 0 OR "elsewhere");
