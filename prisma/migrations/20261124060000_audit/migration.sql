-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "audit";

-- CreateTable
CREATE TABLE "audit"."act" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "actor" TEXT NOT NULL,
    "acting_user" TEXT,
    "correlator" TEXT,
    "action" TEXT NOT NULL,
    "target" TEXT,
    "details" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "act_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "act_actor_id_idx" ON "audit"."act"("actor", "id");

-- CreateIndex
CREATE INDEX "act_action_id_idx" ON "audit"."act"("action", "id");

-- CreateIndex
CREATE INDEX "act_target_id_idx" ON "audit"."act"("target", "id");

-- The log of acts is added to and never changed, not even by the role that the program runs as.
CREATE FUNCTION "audit"."refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit.%: % is refused, rows are only added', TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER "act_is_append_only" BEFORE UPDATE OR DELETE ON "audit"."act"
  FOR EACH ROW EXECUTE FUNCTION "audit"."refuse_change"();

CREATE TRIGGER "act_is_not_truncated" BEFORE TRUNCATE ON "audit"."act"
  FOR EACH STATEMENT EXECUTE FUNCTION "audit"."refuse_change"();

-- A role other than the owner's needs no more than to add and to read.
REVOKE UPDATE, DELETE, TRUNCATE ON "audit"."act" FROM PUBLIC;
