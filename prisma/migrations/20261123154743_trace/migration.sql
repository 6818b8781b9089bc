-- AlterTable
ALTER TABLE "events"."event" ADD COLUMN     "trace" TEXT;

-- AlterTable
ALTER TABLE "loyalty"."reward" ADD COLUMN     "trace" TEXT;

-- AlterTable
ALTER TABLE "messaging"."message" ADD COLUMN     "trace" TEXT;

-- AlterTable
ALTER TABLE "postpaid"."payment" ADD COLUMN     "trace" TEXT;

-- AlterTable
ALTER TABLE "prepaid"."recharge" ADD COLUMN     "trace" TEXT;

-- AlterTable
ALTER TABLE "redemption"."redemption" ADD COLUMN     "trace" TEXT;
