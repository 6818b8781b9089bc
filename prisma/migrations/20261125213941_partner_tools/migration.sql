-- expand
-- locks: events.event and events.delivery for a column each without a default, which rewrites nothing
-- AlterTable
ALTER TABLE "events"."delivery" ADD COLUMN     "endpoint_id" UUID;

-- AlterTable
ALTER TABLE "events"."event" ADD COLUMN     "detail" JSONB;

-- CreateTable
CREATE TABLE "activity"."statement" (
    "client_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "id" UUID NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL,
    "event_until" BIGINT NOT NULL,
    "timezone" TEXT NOT NULL,
    "entries" BIGINT NOT NULL,
    "sha256" TEXT NOT NULL,
    "numbers" JSONB NOT NULL,
    "sums" JSONB NOT NULL,
    "corrections" JSONB NOT NULL,

    CONSTRAINT "statement_pkey" PRIMARY KEY ("client_id","day")
);

-- CreateTable
CREATE TABLE "activity"."statement_progress" (
    "is_only" BOOLEAN NOT NULL DEFAULT true,
    "day" DATE NOT NULL,
    "event_until" BIGINT NOT NULL,

    CONSTRAINT "statement_progress_pkey" PRIMARY KEY ("is_only")
);

-- CreateTable
CREATE TABLE "events"."registered_endpoint" (
    "id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "kinds" TEXT[],
    "format" TEXT NOT NULL DEFAULT 'OWN',
    "secret" TEXT NOT NULL,
    "previous_secret" TEXT,
    "previous_secret_ends" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "registered_endpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events"."endpoint_health" (
    "client_id" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "health" TEXT NOT NULL DEFAULT 'HEALTHY',
    "since" TIMESTAMPTZ(3) NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "endpoint_health_pkey" PRIMARY KEY ("client_id","origin")
);

-- CreateIndex
CREATE INDEX "registered_endpoint_client" ON "events"."registered_endpoint"("client_id", "id");
