-- What waits is due at some time, and nothing else is: so that a claim may ask for the one where statistics that were
-- taken while nothing waited make the other look like the rarer condition.
ALTER TABLE "events"."delivery" ADD CONSTRAINT "delivery_pending_is_due"
  CHECK (("status" = 'PENDING') = ("next_attempt_at" IS NOT NULL));
