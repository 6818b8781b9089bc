-- What customers are searched by: one row for each word of an account's number and name, in the sequence of the words,
-- so that the accounts with a word that begins in some way are one range of the primary key, and a page of them a part
-- of that range. "C" is the sequence of the characters themselves, in which the beginning of a word is such a range.
-- The other words of the account stand in the key too, so that the index alone says whether they are what is wanted.
CREATE TABLE "directory"."search_term" (
    "term" TEXT COLLATE "C" NOT NULL,
    "words" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "search_term_pkey" PRIMARY KEY ("term", "words")
);

-- The rows of an account: `<word> <account number>`, and beside each all words, with spaces around them. As much of a
-- name as the import takes.
CREATE FUNCTION "directory"."search_terms"("account_number" TEXT, "customer_name" TEXT)
RETURNS TABLE ("term" TEXT, "words" TEXT) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT word || ' ' || $1, ' ' || array_to_string(own.words, ' ') || ' '
  FROM (
    SELECT array_agg(word ORDER BY word COLLATE "C") AS words
    FROM unnest("activity"."words"($1 || ' ' || left(coalesce($2, ''), 256))) AS word
  ) own, unnest(own.words) AS word
$$;

-- The accounts that there are already.
INSERT INTO "directory"."search_term"
SELECT t.* FROM "directory"."account" a, "directory"."search_terms"(a."account_number", a."customer_name") t;
