-- A delivery is written three times: queued, leased, and noted as it ended. With room for that on its page the lease touches
-- no index, and the WAL holds what changed of a row instead of all of it.
ALTER TABLE "events"."delivery" SET (fillfactor = 40);

-- A balance and a head of a sequence are rewritten with each batch, always in the same places.
ALTER TABLE "ledger"."balance" SET (fillfactor = 50);
ALTER TABLE "books"."book" SET (fillfactor = 50);
