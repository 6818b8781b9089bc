-- The secret before the newest, and until when it is still good.
ALTER TABLE "access"."client" ADD COLUMN     "previous_secret_ends" TIMESTAMPTZ(3),
ADD COLUMN     "previous_secret_hash" TEXT;
