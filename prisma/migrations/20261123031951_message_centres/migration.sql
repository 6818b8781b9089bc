-- Receipts are looked up by their id without what padding and case add to it (message-ids.ts).
DROP INDEX "messaging"."part_message_id_idx";
CREATE INDEX "part_message_key_idx" ON "messaging"."part" (ltrim(lower("message_id"), '0'));

-- AlterTable
ALTER TABLE "messaging"."receipt" DROP CONSTRAINT "receipt_pkey",
ADD COLUMN     "concat" TEXT,
ADD COLUMN     "reference" INTEGER,
ADD COLUMN     "smsc" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "text_id" TEXT NOT NULL DEFAULT '',
ADD CONSTRAINT "receipt_pkey" PRIMARY KEY ("recipient", "smsc", "message_id");
