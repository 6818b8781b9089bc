-- What waits is due at some time, and nothing else is: so that a claim may ask for the one where statistics that were
-- taken while nothing waited make the other look like the rarer condition.
ALTER TABLE "events"."delivery" ADD CONSTRAINT "delivery_pending_is_due"
  CHECK (("status" = 'PENDING') = ("next_attempt_at" IS NOT NULL));

-- Whether something of a client is due is found by this one. Only who says "attempts >= 0" may use it: where statistics
-- were taken while nothing waited it looks as good as "delivery_pending" for everything else, and reads all that waits.
DROP INDEX "events"."delivery_due";
CREATE INDEX "delivery_due" ON "events"."delivery" ("client_id", "next_attempt_at") WHERE "status" = 'PENDING' AND "attempts" >= 0;
