-- expand
-- locks: nothing that is there
-- CreateTable
CREATE TABLE "activity"."schema_use" (
    "coordinate" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "count" BIGINT NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "schema_use_pkey" PRIMARY KEY ("coordinate","client_id","hour")
);

-- CreateTable
CREATE TABLE "activity"."schema_use_writer" (
    "id" UUID NOT NULL,
    "batch" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "schema_use_writer_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "schema_use_hour" ON "activity"."schema_use"("hour");
