/**
 * Customers by conditions on their accounts: dues, category, the last payment, the beginning of a number, and the words of a
 * search, in the order of account numbers or of dues. Directories have no index for these questions; a million accounts are
 * gone through in about a second.
 */
import { HOME_CURRENCY } from '../charging/booking.ts'
import { Prisma, type Statements } from '../data/db.ts'
import type { Directory } from '../directory/directory.ts'
import {
  accountsFound,
  createSearch,
  type FoundAccount,
  type FoundAccounts,
  type SearchOptions,
} from '../directory/search.ts'
import { invalidField } from '../errors/catalogue.ts'
import { createCursors, type Key, parseKeyset } from '../paging/keyset.ts'
import { readKeysetPage } from '../paging/read-page.ts'
import { checkSearchable, type Decimal } from '../values/money.ts'
import { checkReference, isStorable } from '../values/text.ts'
import { type Moment, startOf } from '../values/time.ts'

/** The graph's `CustomerFilter`. */
interface CustomerFilter {
  readonly minDues?: Decimal | null
  readonly maxDues?: Decimal | null
  readonly category?: string | null
  readonly lastPaymentBefore?: Moment | null
  readonly numberPrefix?: string | null
  readonly search?: string | null
}

/** The graph's `CustomerOrder`. */
type CustomerOrder = 'ACCOUNT_NUMBER' | 'LARGEST_DUES_FIRST' | 'SMALLEST_DUES_FIRST'

interface CustomerArgs {
  readonly search?: string | null
  readonly filter?: CustomerFilter | null
  readonly orderBy?: CustomerOrder | null
  readonly first?: number | null
  readonly after?: string | null
}

/** Payments of accounts: their table, and the statuses of those that were carried out. */
export interface AccountPayments {
  readonly table: Prisma.Sql
  readonly carriedOut: readonly string[]
}

/** Accounts with their dues. */
const ACCOUNTS = Prisma.raw(`directory.account a
  LEFT JOIN ledger.balance b ON b.kind = 'dues' AND b.holder = a.account_number AND b.currency = '${HOME_CURRENCY}'`)

/**
 * Keys of the orders. Dues are written with all their digits, moved above zero, so that their texts are in their order; the
 * account number sets apart who owes the same.
 */
const NUMBERS = { prefix: 'an1:', key: Prisma.raw('a.account_number') } as const
const DUES = {
  prefix: 'ad1:',
  key: Prisma.raw(
    `(lpad(((coalesce(b.amount, 0) + 1e16) * 1e4)::numeric(22, 0)::text, 22, '0') || ' ' || a.account_number) COLLATE "C"`,
  ),
} as const

const isDues = (order: CustomerOrder | null | undefined) => order != null && order !== 'ACCOUNT_NUMBER'

const SHORTEST_PREFIX = 2
const SEPARATORS = /[\s().+-]/g

const checkPrefix = (prefix: string): void => {
  checkReference('filter.numberPrefix', prefix)
  if (prefix.trim().length < SHORTEST_PREFIX)
    throw invalidField('filter.numberPrefix', 'TOO_SHORT', `must have at least ${SHORTEST_PREFIX} characters`)
}

/** Condition of accounts whose own number, or that of a line, begins with one of these texts. */
const beginsWith = (prefix: string, countryCode: string): Prisma.Sql => {
  const digits = prefix.replaceAll(SEPARATORS, '')
  const texts = [prefix.trim(), ...(/^\d+$/.test(digits) ? [digits, `${countryCode}${digits}`] : [])]
  const begins = (column: string) =>
    Prisma.sql`EXISTS (SELECT FROM unnest(${texts}::text[]) given WHERE starts_with(${Prisma.raw(column)}, given))`
  return Prisma.sql`(${begins('a.account_number')} OR a.account_number IN (
    SELECT l.account_number FROM directory.line l WHERE ${begins('l.number')}))`
}

const paidNothingSince = ({ table, carriedOut }: AccountPayments, instant: Date): Prisma.Sql => Prisma.sql`
  NOT EXISTS (SELECT FROM ${table} p WHERE p.account_number = a.account_number
    AND p.created_at >= ${instant}::timestamptz AND p.status = ANY (${carriedOut}::text[]))`

const dues = (path: 'minDues' | 'maxDues', limit: Decimal): Prisma.Sql => {
  checkSearchable(`filter.${path}`, limit)
  const [sign, value] = [Prisma.raw(path === 'minDues' ? '>=' : '<='), String(limit)]
  return Prisma.sql`coalesce(b.amount, 0) ${sign} ${value}::numeric`
}

/** Conditions of a filter. @throws ServiceError INVALID_ARGUMENT naming the field that is wrong. */
const conditionsOf = (
  filter: CustomerFilter,
  payments: AccountPayments,
  countryCode: string,
): Prisma.Sql[] => {
  const { minDues, maxDues, category, lastPaymentBefore, numberPrefix } = filter
  const paidBefore = startOf(lastPaymentBefore)
  if (category != null) checkReference('filter.category', category)
  if (numberPrefix != null) checkPrefix(numberPrefix)
  return [
    ...(minDues == null ? [] : [dues('minDues', minDues)]),
    ...(maxDues == null ? [] : [dues('maxDues', maxDues)]),
    ...(category == null ? [] : [Prisma.sql`a.acct_category = ${category}`]),
    ...(paidBefore == null ? [] : [paidNothingSince(payments, paidBefore)]),
    ...(numberPrefix == null ? [] : [beginsWith(numberPrefix, countryCode)]),
  ]
}

interface ListedAccount extends FoundAccount {
  readonly key: string
}

const cursorsOf = (prefix: string) =>
  createCursors<string>(prefix, {
    write: key => key,
    read: text => (isStorable(text) ? text : undefined),
    refusal: 'must be a cursor from an earlier answer of the same order, unchanged',
  })

/** Makes the list of a directory's customers. */
export const createCustomerList = (db: Statements, directory: Directory, payments: AccountPayments) => {
  const search = createSearch(db, directory)
  /**
   * Reads a page of accounts. A search without filter and order has the order of what is found.
   * @throws ServiceError INVALID_ARGUMENT naming the argument that is wrong.
   */
  return async (args: CustomerArgs, options: SearchOptions): Promise<FoundAccounts> => {
    const { filter, orderBy, first, after } = args
    const conditions = conditionsOf(filter ?? {}, payments, options.countryCode)
    const searches = [args.search, filter?.search].filter(text => text != null)
    const [only, ...others] = searches
    if (only !== undefined && others.length === 0 && conditions.length === 0 && orderBy == null)
      return search({ search: only, first, after }, options)
    const found = await Promise.all(
      searches.map(text => accountsFound(db, directory, text, options.countryCode)),
    )
    const { prefix, key } = isDues(orderBy) ? DUES : NUMBERS
    const cursors = cursorsOf(prefix)
    const descending = orderBy === 'LARGEST_DUES_FIRST'
    const keyset = parseKeyset<Key>(
      { first, after, orderBy: descending ? 'NEWEST_FIRST' : 'OLDEST_FIRST' },
      cursors.from,
    )
    return readKeysetPage<ListedAccount>(db, {
      columns: Prisma.sql`a.account_number AS "accountNumber", ${key} AS key`,
      from: ACCOUNTS,
      where: Prisma.join(
        [
          Prisma.sql`TRUE`,
          ...conditions,
          ...found.map(accounts => Prisma.sql`a.account_number IN (${accounts})`),
          ...(options.within === undefined ? [] : [Prisma.sql`a.account_number = ${options.within}`]),
        ],
        ' AND ',
      ),
      number: key,
      keyset,
      cursorOf: row => cursors.to(row.key),
    })
  }
}
