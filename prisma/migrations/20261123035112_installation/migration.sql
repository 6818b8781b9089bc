-- CreateTable
CREATE TABLE "access"."installation" (
    "is_only" BOOLEAN NOT NULL DEFAULT true,
    "id" UUID NOT NULL,
    "place" TEXT NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "installation_pkey" PRIMARY KEY ("is_only")
);
