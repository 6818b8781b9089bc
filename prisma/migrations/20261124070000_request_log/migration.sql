-- CreateTable
CREATE TABLE "activity"."request" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "client_id" TEXT,
    "via" TEXT NOT NULL,
    "operation" TEXT,
    "status" SMALLINT NOT NULL,
    "code" TEXT,
    "reason" TEXT,
    "field" TEXT,
    "duration_ms" REAL NOT NULL,
    "transaction_id" UUID,
    "correlator" TEXT NOT NULL,
    "weight" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "request_pkey" PRIMARY KEY ("id")
) PARTITION BY RANGE ("id");

-- CreateIndex
CREATE INDEX "request_client" ON "activity"."request"("client_id", "id");

-- CreateIndex
CREATE INDEX "request_correlator" ON "activity"."request"("correlator");

-- Requests that posted a transaction: most did not.
CREATE INDEX "request_transaction" ON "activity"."request"("transaction_id") WHERE "transaction_id" IS NOT NULL;

-- Refusals: what their sums read, so that the rows themselves are not.
CREATE INDEX "request_refused" ON "activity"."request"("id")
  INCLUDE ("at", "client_id", "via", "operation", "status", "code", "reason", "field", "weight") WHERE "code" IS NOT NULL;
