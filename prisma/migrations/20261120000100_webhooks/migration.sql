-- AlterTable
ALTER TABLE "access"."client" ADD COLUMN     "webhook_secrets" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "events"."delivery" (
    "id" UUID NOT NULL,
    "position" BIGINT NOT NULL,
    "eventid" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "transaction_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "token" TEXT,
    "status" TEXT NOT NULL DEFAULT 'PENDING',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_status" INTEGER,
    "last_error" TEXT,
    "next_attempt_at" TIMESTAMPTZ(3),
    "lease" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "delivery_position_key" ON "events"."delivery"("position");

-- CreateIndex
CREATE INDEX "delivery_transaction_id_position_idx" ON "events"."delivery"("transaction_id", "position");

-- CreateIndex
CREATE INDEX "delivery_client_id_position_idx" ON "events"."delivery"("client_id", "position");


-- What the deliverer looks for, receiver by receiver, and what an operator looks for: few rows among many.
CREATE INDEX "delivery_pending" ON "events"."delivery" ("origin", "next_attempt_at") WHERE "status" = 'PENDING';
CREATE INDEX "delivery_dead" ON "events"."delivery" ("position") WHERE "status" = 'DEAD';
