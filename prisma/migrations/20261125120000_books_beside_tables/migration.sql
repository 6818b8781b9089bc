-- expand
-- locks: books.book, a row for each service and each of its clients, while they are copied

-- Each sequence stands in the schema of the table that it numbers, so that both can be on one node of a distributed
-- database. Under the name that earlier versions use they are one table still, of which these are the parts.
ALTER TABLE "books"."book" RENAME TO "former";
ALTER INDEX "books"."book_pkey" RENAME TO "former_pkey";

CREATE TABLE "books"."book" (
    "name" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "position" BIGINT NOT NULL DEFAULT 0,
    "written_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "book_pkey" PRIMARY KEY ("name","client_id")
) PARTITION BY LIST ("name");

CREATE TABLE "postpaid"."book" PARTITION OF "books"."book" FOR VALUES IN ('payment') WITH (fillfactor = 50);
CREATE TABLE "prepaid"."book" PARTITION OF "books"."book" FOR VALUES IN ('recharge') WITH (fillfactor = 50);
CREATE TABLE "messaging"."book" PARTITION OF "books"."book" FOR VALUES IN ('message') WITH (fillfactor = 50);
CREATE TABLE "loyalty"."book" PARTITION OF "books"."book" FOR VALUES IN ('reward') WITH (fillfactor = 50);
CREATE TABLE "redemption"."book" PARTITION OF "books"."book" FOR VALUES IN ('redemption') WITH (fillfactor = 50);
-- Every process writes events, so that the row by which readiness is told stands with them.
CREATE TABLE "events"."book" PARTITION OF "books"."book" FOR VALUES IN ('event', 'readiness') WITH (fillfactor = 50);
-- Services of one's own that are there already, until they get a part.
CREATE TABLE "books"."other" PARTITION OF "books"."book" DEFAULT WITH (fillfactor = 50);

INSERT INTO "books"."book" SELECT * FROM "books"."former";
DROP TABLE "books"."former";
