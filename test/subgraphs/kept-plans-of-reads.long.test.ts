/** A look-up by keys is planned once for each connection, and found by them however full the tables were then. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBalances } from '#core/charging/booking.ts'
import type { Database, Statements } from '#core/data/db.ts'
import { createDirectory } from '#core/directory/directory.ts'
import { parsePageArgs } from '#core/paging/keyset.ts'
import { lineKey } from '#core/paging/read-page.ts'
import { COLUMN_SETS, KEYS } from '#core/transactions/columns.ts'
import { countConnections, readConnections } from '#core/transactions/read/connection.ts'
import { PAYMENT } from '#subgraphs/postpaid-billing/kind.ts'
import { onPostgres, openForReading } from '#test/core/data/opened.ts'
import { type Case, expectToReadLittle, FILLED, TAKEN } from '../support/kept-plans.ts'
import { notOnCitus } from '../support/not-on-citus.ts'

const numbers = Array.from({ length: TAKEN }, (_, index) => `${index + 1}`)

const lines = numbers.map(number => lineKey(number, number))

const QUERY = {
  ...{ kind: PAYMENT, clientId: undefined, filter: {} },
  ...{ keyset: parsePageArgs({ first: 5 }), columns: COLUMN_SETS.of(KEYS) },
}

const READS = {
  pages: async (db: Statements) =>
    (await readConnections(db, QUERY, 'accountNumber', numbers)).flatMap(({ nodes }) => nodes).length,
  counts: async (db: Statements) =>
    (await countConnections(db, QUERY, 'accountNumber', numbers)).reduce((sum, count) => sum + count, 0),
  'pages of lines': async (db: Statements) =>
    (await readConnections(db, QUERY, 'line', lines)).flatMap(({ nodes }) => nodes).length,
  'counts of lines': async (db: Statements) =>
    (await countConnections(db, QUERY, 'line', lines)).reduce((sum, count) => sum + count, 0),
  accounts: async (db: Statements) =>
    (await Promise.all(numbers.map(createDirectory(db).account))).filter(Boolean).length,
  lines: async (db: Statements) => {
    const { line } = createDirectory(db)
    return (await Promise.all(numbers.map(number => line('phone', number)))).filter(Boolean).length
  },
  'lines of accounts': async (db: Statements) =>
    [...(await createDirectory(db).linesOfAccounts(numbers)).values()].flat().length,
  balances: async (db: Statements) =>
    (
      await readBalances(
        db,
        numbers.map(owner => ({ kind: 'dues', owner, currency: 'OMR' })),
      )
    ).filter(amount => amount.equals(1)).length,
}

const addPayments = (tx: Statements) => tx.$executeRaw`
  INSERT INTO postpaid.payment (id, position, client_id, client_position, created_at, status, account_number, body)
  SELECT gen_random_uuid(), n, 'kept', n, now(), 'processing', n::text, '{}' FROM generate_series(1, ${FILLED}::int) n`

const addAccounts = (tx: Statements) => tx.$executeRaw`
  INSERT INTO directory.account (account_number, customer_name, customer_status, customer_type)
  SELECT n::text, 'A', 'ACTIVE', 9 FROM generate_series(1, ${FILLED}::int) n`

const addLines = async (tx: Statements) => {
  await addAccounts(tx)
  await tx.$executeRaw`
    INSERT INTO directory.line (kind, number, account_number)
    SELECT 'phone', n::text, n::text FROM generate_series(1, ${FILLED}::int) n`
}

const addBalances = (tx: Statements) => tx.$executeRaw`
  INSERT INTO ledger.balance (kind, holder, currency, amount)
  SELECT 'dues', n::text, 'OMR', 1 FROM generate_series(1, ${FILLED}::int) n`

const caseOf = (name: keyof typeof READS, table: Case['table'], fill: Case['fill']): Case => ({
  ...{ table, fill, plan: READS[name] },
  act: async tx => expect(await READS[name](tx)).toBe(TAKEN),
})

const CASES = {
  pages: caseOf('pages', ['postpaid', 'payment'], addPayments),
  counts: caseOf('counts', ['postpaid', 'payment'], addPayments),
  'pages of lines': caseOf('pages of lines', ['postpaid', 'payment'], addPayments),
  'counts of lines': caseOf('counts of lines', ['postpaid', 'payment'], addPayments),
  accounts: caseOf('accounts', ['directory', 'account'], addAccounts),
  lines: caseOf('lines', ['directory', 'line'], addLines),
  'lines of accounts': caseOf('lines of accounts', ['directory', 'line'], addLines),
  balances: caseOf('balances', ['ledger', 'balance'], addBalances),
}

it.skipIf(notOnCitus('plans and statistics of one server')).each(Object.entries(CASES))(
  'PLAN-02 %s are found by their keys',
  (_, one) => expectToReadLittle(one),
)

/** PostgreSQL keeps a plan when the sixth execution comes. */
const TIMES = 10

/** One at a time takes the connection that was given back last. */
describe.skipIf(!onPostgres)('a connection', () => {
  let database: Database
  beforeAll(async () => {
    database = await openForReading()
  })
  afterAll(() => database.close())

  const kept = () => database.db.$queryRaw<{ text: string; generic: bigint; custom: bigint }[]>`
    SELECT statement AS text, generic_plans AS generic, custom_plans AS custom FROM pg_prepared_statements
    WHERE statement LIKE '%ORDINALITY AS k%' AND statement NOT LIKE '%pg_prepared%'`

  it('PLAN-03 keeps the plans of all of them', async () => {
    for (let time = 0; time < TIMES; time++) for (const read of Object.values(READS)) await read(database.db)
    const plans = await kept()
    expect(plans).toHaveLength(Object.keys(READS).length)
    expect(plans.filter(({ custom }) => custom > 5n)).toEqual([])
  })
})
