-- AlterTable
ALTER TABLE "access"."client" ADD COLUMN     "quotas" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "access"."secret_failure" (
    "key" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "blocked_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "secret_failure_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "secret_failure_blocked_until_idx" ON "access"."secret_failure"("blocked_until");
