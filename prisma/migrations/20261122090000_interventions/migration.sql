-- AlterTable
ALTER TABLE "directory"."account" ADD COLUMN     "closed" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "events"."intervention" (
    "transaction_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "correlator" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "carried_out_at" TIMESTAMPTZ(3),
    "refusal" TEXT,
    "leased_until" TIMESTAMPTZ(3),

    CONSTRAINT "intervention_pkey" PRIMARY KEY ("transaction_id","action")
);

-- CreateTable
CREATE TABLE "ledger"."reversal" (
    "transaction_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "amount" DECIMAL(20,4) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reversal_pkey" PRIMARY KEY ("transaction_id")
);

-- CreateTable
CREATE TABLE "messaging"."batch" (
    "id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_correlator_id" TEXT NOT NULL,
    "recipients" INTEGER NOT NULL,
    "refused" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "batch_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "batch_client_correlator" ON "messaging"."batch"("client_id", "client_correlator_id");

-- What an outside charging system is still to be asked for: a handful of rows, however long the table is.
CREATE INDEX "intervention_wanted" ON "events"."intervention" ("kind", "requested_at") WHERE "carried_out_at" IS NULL AND "refusal" IS NULL;
