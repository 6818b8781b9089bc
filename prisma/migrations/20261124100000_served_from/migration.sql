-- expand
-- locks: nothing that is there
-- CreateTable
CREATE TABLE "access"."served_from" (
    "migration" TEXT NOT NULL,
    "version" TEXT NOT NULL,

    CONSTRAINT "served_from_pkey" PRIMARY KEY ("migration")
);

ALTER TABLE "access"."served_from" ADD CONSTRAINT "served_from_is_a_version"
  CHECK ("version" ~ '^[0-9]+[.][0-9]+[.][0-9]+$');
