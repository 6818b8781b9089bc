-- CreateTable
CREATE TABLE "audit"."access_record" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "client_id" TEXT NOT NULL,
    "acting_user" TEXT,
    "subject" TEXT NOT NULL,
    "operation" TEXT,
    "correlator" TEXT NOT NULL,

    CONSTRAINT "access_record_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "access_record_subject_id_idx" ON "audit"."access_record"("subject", "id");

-- CreateIndex
CREATE INDEX "access_record_client_id_id_idx" ON "audit"."access_record"("client_id", "id");

-- A record is never altered. The retention alone removes those that have expired.
CREATE TRIGGER "access_record_is_never_altered" BEFORE UPDATE ON "audit"."access_record"
  FOR EACH ROW EXECUTE FUNCTION "audit"."refuse_change"();

CREATE TRIGGER "access_record_is_not_truncated" BEFORE TRUNCATE ON "audit"."access_record"
  FOR EACH STATEMENT EXECUTE FUNCTION "audit"."refuse_change"();

REVOKE UPDATE, TRUNCATE ON "audit"."access_record" FROM PUBLIC;
