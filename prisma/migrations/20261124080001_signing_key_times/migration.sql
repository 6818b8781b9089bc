-- AlterTable
ALTER TABLE "access"."signing_key" ADD COLUMN     "ends_at" TIMESTAMPTZ(3),
ADD COLUMN     "signs_from" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
