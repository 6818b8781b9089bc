-- expand
-- locks: access.client for two columns without a default, which rewrites nothing
-- AlterTable
ALTER TABLE "access"."client" ADD COLUMN     "jwks" JSONB,
ADD COLUMN     "jwks_uri" TEXT;

-- CreateTable
CREATE TABLE "access"."used_assertion" (
    "client_id" TEXT NOT NULL,
    "jti" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_assertion_pkey" PRIMARY KEY ("client_id","jti")
);

-- CreateIndex
CREATE INDEX "used_assertion_expires_at_idx" ON "access"."used_assertion"("expires_at");
