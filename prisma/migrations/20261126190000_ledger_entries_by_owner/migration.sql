-- contract
-- locks: ledger.entry for a moment, while the index is taken away
-- No statement of any version reads entries by their owner: balances say what they come to, and the timeline lists them.
DROP INDEX "ledger"."entry_holder_kind_currency_idx";
INSERT INTO "access"."served_from" ("migration", "version") VALUES ('20261126190000_ledger_entries_by_owner', '0.2.0');
