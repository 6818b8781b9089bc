-- CreateTable
CREATE TABLE "messaging"."part" (
    "transaction_id" UUID NOT NULL,
    "number" SMALLINT NOT NULL,
    "total" SMALLINT NOT NULL,
    "recipient" TEXT NOT NULL,
    "reference" INTEGER NOT NULL,
    "smsc" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "message_id" TEXT,
    "tried_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "part_pkey" PRIMARY KEY ("transaction_id","number")
);

-- CreateTable
CREATE TABLE "messaging"."receipt" (
    "message_id" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "receipt_pkey" PRIMARY KEY ("message_id","recipient")
);

-- CreateIndex
CREATE INDEX "part_message_id_idx" ON "messaging"."part"("message_id");

-- CreateIndex
CREATE INDEX "part_recipient_reference_idx" ON "messaging"."part"("recipient", "reference");

-- CreateIndex
CREATE INDEX "receipt_received_at_idx" ON "messaging"."receipt"("received_at");
