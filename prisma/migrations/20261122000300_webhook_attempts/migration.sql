-- AlterTable
ALTER TABLE "access"."client" ADD COLUMN     "webhook_secret_ends" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[];

-- AlterTable
ALTER TABLE "events"."delivery" ADD COLUMN     "attempt_log" JSONB NOT NULL DEFAULT '[]';
