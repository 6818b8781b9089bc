/** Writes batches of checked rows, a few statements each; rows that are already so are not touched, not even locked. */
import type { Transaction } from '../data/db.ts'
import type { Batch } from './import-batches.ts'

/** What became of the rows of one table. */
export interface Counts {
  added: number
  changed: number
  unchanged: number
}

type Written = { given: number; added: number; changed: number }[]

const writeAccounts = (tx: Transaction, json: string) => tx.$queryRaw<Written>`
  WITH given AS (
    SELECT "customerAccountNumber", "customerName", "customerStatus", "customerType", "acctCategory",
      "collectionIndicator", "custAddr1", "custAddr2", "custAddr3", coalesce(closed, FALSE) AS closed
    FROM jsonb_to_recordset(${json}::jsonb) AS given(
      "customerAccountNumber" text, "customerName" text, "customerStatus" text, "customerType" int,
      "acctCategory" text, "collectionIndicator" text, "custAddr1" text, "custAddr2" text, "custAddr3" text,
      closed boolean)
  ), differing AS (
    SELECT given.*, old.account_number IS NULL AS is_new, old.customer_name AS "oldName"
    FROM given LEFT JOIN directory.account old ON old.account_number = given."customerAccountNumber"
    WHERE (old.account_number, old.customer_name, old.customer_status, old.customer_type, old.acct_category,
        old.collection_indicator, old.cust_addr1, old.cust_addr2, old.cust_addr3, old.closed)
      IS DISTINCT FROM (given."customerAccountNumber", given."customerName", given."customerStatus",
        given."customerType", given."acctCategory", given."collectionIndicator",
        given."custAddr1", given."custAddr2", given."custAddr3", given.closed)
  ), written AS (
    INSERT INTO directory.account (account_number, customer_name, customer_status, customer_type, acct_category,
      collection_indicator, cust_addr1, cust_addr2, cust_addr3, closed)
    SELECT "customerAccountNumber", "customerName", "customerStatus", "customerType", "acctCategory",
      "collectionIndicator", "custAddr1", "custAddr2", "custAddr3", closed
    FROM differing
    ON CONFLICT (account_number) DO UPDATE SET
      customer_name = EXCLUDED.customer_name, customer_status = EXCLUDED.customer_status,
      customer_type = EXCLUDED.customer_type, acct_category = EXCLUDED.acct_category,
      collection_indicator = EXCLUDED.collection_indicator, cust_addr1 = EXCLUDED.cust_addr1,
      cust_addr2 = EXCLUDED.cust_addr2, cust_addr3 = EXCLUDED.cust_addr3, closed = EXCLUDED.closed
  ), terms AS MATERIALIZED (
    SELECT new.* FROM differing, directory.search_terms("customerAccountNumber", "customerName") new
    WHERE is_new OR "oldName" IS DISTINCT FROM "customerName"
  ), forgotten AS (
    DELETE FROM directory.search_term WHERE (term, words) IN (
      SELECT old.term, old.words FROM differing, directory.search_terms("customerAccountNumber", "oldName") old
      WHERE NOT is_new AND "oldName" IS DISTINCT FROM "customerName"
      EXCEPT SELECT term, words FROM terms)
  ), searchable AS (
    INSERT INTO directory.search_term (term, words) SELECT term, words FROM terms ON CONFLICT DO NOTHING
  )
  SELECT (SELECT count(*)::int FROM given) AS given, count(*) FILTER (WHERE is_new)::int AS added,
    count(*) FILTER (WHERE NOT is_new)::int AS changed FROM differing`

const writeLines = (tx: Transaction, json: string) => tx.$queryRaw<Written>`
  WITH given AS (
    SELECT * FROM jsonb_to_recordset(${json}::jsonb) AS given(
      kind text, number text, "accountNumber" text, active boolean)
  ), differing AS (
    SELECT given.*, old.number IS NULL AS is_new
    FROM given LEFT JOIN directory.line old ON old.number = given.number AND old.kind = given.kind
    WHERE old.account_number IS DISTINCT FROM given."accountNumber" OR old.active IS DISTINCT FROM given.active
  ), written AS (
    INSERT INTO directory.line (kind, number, account_number, active)
    SELECT kind, number, "accountNumber", active FROM differing
    ON CONFLICT (number, kind) DO UPDATE SET account_number = EXCLUDED.account_number, active = EXCLUDED.active
  )
  SELECT (SELECT count(*)::int FROM given) AS given, count(*) FILTER (WHERE is_new)::int AS added,
    count(*) FILTER (WHERE NOT is_new)::int AS changed FROM differing`

/** Opening balances alone: what has been posted since is in the ledger's amount, unless it is to be set. */
const writeBalances = (tx: Transaction, json: string, set: boolean) => tx.$queryRaw<Written>`
  WITH given AS (
    SELECT * FROM jsonb_to_recordset(${json}::jsonb) AS given(
      kind text, holder text, currency text, amount numeric)
  ), differing AS (
    SELECT given.*, old.holder IS NULL AS is_new
    FROM given LEFT JOIN ledger.balance old
      ON old.holder = given.holder AND old.kind = given.kind AND old.currency = given.currency
    WHERE old.holder IS NULL OR (${set}::boolean AND old.amount <> given.amount)
  ), written AS (
    INSERT INTO ledger.balance AS old (kind, holder, currency, amount)
    SELECT kind, holder, currency, amount FROM differing
    ON CONFLICT (holder, kind, currency) DO UPDATE SET amount = EXCLUDED.amount WHERE ${set}::boolean
  )
  SELECT (SELECT count(*)::int FROM given) AS given, count(*) FILTER (WHERE is_new)::int AS added,
    count(*) FILTER (WHERE NOT is_new)::int AS changed FROM differing`

/** The counts of all rounds together. */
export class Totals {
  readonly accounts: Counts = { added: 0, changed: 0, unchanged: 0 }
  readonly lines: Counts = { added: 0, changed: 0, unchanged: 0 }
  readonly balances: Counts = { added: 0, changed: 0, unchanged: 0 }
}

const count = (counts: Counts, [written]: Written) => {
  const { given, added, changed } = written!
  counts.added += added
  counts.changed += changed
  counts.unchanged += given - added - changed
}

/** Writes one batch and counts what it did. */
export async function writeBatch(tx: Transaction, batch: Batch, setBalances: boolean, totals: Totals) {
  count(totals.accounts, await writeAccounts(tx, batch.accounts))
  count(totals.lines, await writeLines(tx, batch.lines))
  count(totals.balances, await writeBalances(tx, batch.balances, setBalances))
}
