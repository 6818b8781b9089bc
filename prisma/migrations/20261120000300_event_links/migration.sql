-- CreateIndex
CREATE INDEX "event_client_id_position_idx" ON "events"."event"("client_id", "position");

-- CreateIndex
CREATE INDEX "event_account_number_position_idx" ON "events"."event"("account_number", "position");

-- CreateIndex
CREATE INDEX "event_mobile_number_position_idx" ON "events"."event"("mobile_number", "position");

