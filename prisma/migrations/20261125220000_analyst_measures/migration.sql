-- expand
-- locks: activity.entry for three columns without a default or with a constant one, which rewrites nothing
-- AlterTable
ALTER TABLE "activity"."entry" ADD COLUMN     "payment_method" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "product" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "settled_ms" BIGINT;
