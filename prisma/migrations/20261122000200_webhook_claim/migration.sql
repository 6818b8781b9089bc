-- What the deliverer looks for, client by client and within one receiver by receiver: few rows among many. The first
-- finds the receivers and their oldest, the second says whether anything of a client is due at all.
DROP INDEX "events"."delivery_pending";
CREATE INDEX "delivery_pending" ON "events"."delivery" ("client_id", "origin", "next_attempt_at") WHERE "status" = 'PENDING';
CREATE INDEX "delivery_due" ON "events"."delivery" ("client_id", "next_attempt_at") WHERE "status" = 'PENDING';
