/** The directory: accounts and lines by their numbers. Read by every service, written by the import alone. */
import { batchedLookup } from '../data/batched-lookup.ts'
import type { Statements } from '../data/db.ts'
import { keysTable } from '../data/sql.ts'

export const LINE_KINDS = ['phone', 'fixedline', 'internetAccount'] as const

export type LineKind = (typeof LINE_KINDS)[number]

/** A customer account as the operator imported it; what the file did not say is null. */
export interface AccountRecord {
  readonly accountNumber: string
  readonly customerName: string | null
  readonly customerStatus: string | null
  readonly customerType: number | null
  readonly acctCategory: string | null
  readonly collectionIndicator: string | null
  readonly custAddr1: string | null
  readonly custAddr2: string | null
  readonly custAddr3: string | null
  /** Whether it is closed: no bill of it can be paid any more. */
  readonly closed: boolean
}

/** A line; the number of a phone or fixed line is digits with country code. */
export interface LineRecord {
  readonly kind: LineKind
  readonly number: string
  readonly accountNumber: string
  readonly active: boolean
}

/** Line that was looked up, with its relation to its account. */
export interface FoundLine extends LineRecord {
  /** Whether the account has no other line, of whatever kind. */
  readonly isOnly: boolean
}

/** Directory of accounts and lines. Look-ups of one turn of the event loop share a statement. */
export interface Directory {
  account(accountNumber: string): Promise<AccountRecord | undefined>
  line(kind: LineKind, number: string): Promise<FoundLine | undefined>
  /** Reads the lines of accounts, in the order kind, number; every requested account is in the map. */
  linesOfAccounts(accountNumbers: readonly string[]): Promise<Map<string, LineRecord[]>>
}

// One text for one key or a thousand, which the database plans once for each connection.
const readAccounts = (db: Statements, numbers: readonly string[]) =>
  db.$lookUp<AccountRecord[]>`
    SELECT account_number AS "accountNumber", customer_name AS "customerName",
      customer_status AS "customerStatus", customer_type AS "customerType", acct_category AS "acctCategory",
      collection_indicator AS "collectionIndicator",
      cust_addr1 AS "custAddr1", cust_addr2 AS "custAddr2", cust_addr3 AS "custAddr3", closed
    FROM ${keysTable(numbers)} requested JOIN directory.account ON account_number = requested.key`

const readLines = (db: Statements, kind: LineKind, numbers: readonly string[]) =>
  db.$lookUp<FoundLine[]>`
    SELECT kind, number, account_number AS "accountNumber", active,
      NOT EXISTS (SELECT FROM directory.line other WHERE other.account_number = line.account_number
        AND (other.kind, other.number) <> (line.kind, line.number)) AS "isOnly"
    FROM ${keysTable(numbers)} requested JOIN directory.line ON number = requested.key AND kind = ${kind}`

const readLinesOf = (db: Statements, accountNumbers: readonly string[]) =>
  db.$queryRaw<LineRecord[]>`
    SELECT kind, number, account_number AS "accountNumber", active
    FROM ${keysTable(accountNumbers)} requested JOIN directory.line ON account_number = requested.key
    ORDER BY account_number, kind, number`

const groupByAccount = (accountNumbers: readonly string[], lines: LineRecord[]) => {
  const groups = new Map<string, LineRecord[]>(accountNumbers.map(number => [number, []]))
  for (const line of lines) groups.get(line.accountNumber)?.push(line)
  return groups
}

const findAccount = (db: Statements): Directory['account'] =>
  batchedLookup(async numbers => {
    const found = await readAccounts(db, numbers)
    const accounts = new Map(found.map(account => [account.accountNumber, account]))
    return numbers.map(number => accounts.get(number))
  })

const findLineOf = (db: Statements, kind: LineKind) =>
  batchedLookup(async (numbers: readonly string[]) => {
    const lines = new Map((await readLines(db, kind, numbers)).map(line => [line.number, line]))
    return numbers.map(number => lines.get(number))
  })

const findLine = (db: Statements): Directory['line'] => {
  const [phone, fixedline, internetAccount] = LINE_KINDS.map(kind => findLineOf(db, kind))
  const finders = { phone, fixedline, internetAccount }
  return (kind, number) => finders[kind]!(number)
}

/** The directory in this database. */
export const createDirectory = (db: Statements): Directory => {
  return {
    account: findAccount(db),
    line: findLine(db),
    linesOfAccounts: async numbers => groupByAccount(numbers, await readLinesOf(db, numbers)),
  }
}
