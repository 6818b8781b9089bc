-- expand
-- locks: nothing that others wait for
-- in steps
-- What failed, was cancelled or taken back, by its reason: few among many, as those of entry_exception.
DROP INDEX CONCURRENTLY IF EXISTS "activity"."entry_reason";
CREATE INDEX CONCURRENTLY "entry_reason" ON "activity"."entry" ("reason", "sort") WHERE "exception" IS NOT NULL;
