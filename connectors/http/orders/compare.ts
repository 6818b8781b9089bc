/**
 * Our orders and a charging system's book, side by side in the order of ids: what is missing there, what is only there, and
 * what differs. Both are read in pages, so that neither needs memory.
 */
import type { ChargingBook } from '#connectors/http/book.ts'
import type { BookEntry } from '#connectors/http/messages.ts'
import type { Db } from '#core/data/db.ts'
import { COLUMNS } from '#core/transactions/columns.ts'
import { type TransactionKind, type TransactionRow, tableOf } from '#core/transactions/kind.ts'
import { newId } from '#core/values/id.ts'
import { Decimal } from '#core/values/money.ts'

/** The things in which two books may differ about one order. */
export type Differing = 'operation' | 'holder' | 'amount' | 'outcome'

/** A difference; `here` and `there` are texts for people and programs alike. */
export type Difference =
  | { readonly transactionId: string; readonly what: 'missing-there' | 'only-there'; readonly order: string }
  | {
      readonly transactionId: string
      readonly what: Differing
      readonly here: string
      readonly there: string
    }

/** Numbers of orders by the book that has them. */
export interface Comparison {
  /** Orders in both books, with an outcome here. */
  compared: number
  /** Orders without an outcome here yet, of which only holder and amount are compared. */
  open: number
  missingThere: number
  onlyThere: number
  /** Orders with at least one difference. */
  different: number
}

export interface CompareOptions {
  readonly db: Db
  readonly kinds: readonly TransactionKind[]
  /** Names of the kinds whose orders this system carries out. */
  readonly charged: ReadonlySet<string>
  readonly book: Pick<ChargingBook, 'entries' | 'outcomeOf'>
  /** Called with each difference as it is found. */
  onDifference(difference: Difference): void
}

interface Ours {
  readonly id: string
  readonly kind: TransactionKind
  readonly state: string
  readonly outcome: string | null
  readonly wasSent: boolean
  readonly row: TransactionRow
}

const PAGE = 500
const FIRST = '00000000-0000-0000-0000-000000000000'

const readPage = async ({ db, kinds }: CompareOptions, after: string, until: string): Promise<Ours[]> => {
  const orders = await db.$queryRaw<(Omit<Ours, 'kind' | 'row'> & { kind: string })[]>`
    SELECT transaction_id AS id, kind, state, outcome, submitted_at IS NOT NULL AS "wasSent" FROM charging."order"
    WHERE transaction_id > ${after}::uuid AND transaction_id <= ${until}::uuid ORDER BY transaction_id LIMIT ${PAGE}`
  const found = await Promise.all(
    kinds.map(async kind => {
      const ids = orders.filter(order => order.kind === kind.name).map(({ id }) => id)
      if (ids.length === 0) return []
      const rows = await db.$queryRaw<TransactionRow[]>`
        SELECT ${COLUMNS} FROM ${tableOf(kind)} t WHERE t.id = ANY (${ids}::uuid[])`
      return rows.map(row => [row.id, { kind, row }] as const)
    }),
  )
  const byId = new Map(found.flat())
  return orders.flatMap(order => {
    const transaction = byId.get(order.id)
    return transaction ? [{ ...order, ...transaction }] : []
  })
}

async function* readOurs(options: CompareOptions, until: string): AsyncGenerator<Ours> {
  for (let after = FIRST; ; ) {
    const page = await readPage(options, after, until)
    yield* page
    if (page.length === 0) return
    after = page.at(-1)!.id
  }
}

const isMoneyOfAccount = ({ kind }: Ours) => kind.charge.moves?.balance === 'dues'

const holderHere = (ours: Ours): string =>
  isMoneyOfAccount(ours) ? `account ${ours.row.accountNumber}` : `number ${ours.row.mobileNumber}`

const holderThere = ({ holder }: BookEntry): string =>
  holder?.accountNumber === undefined ? `number ${holder?.mobileNumber}` : `account ${holder.accountNumber}`

const worth = (amount: unknown, currency: unknown, points: unknown): string =>
  points === null || points === undefined
    ? `${new Decimal(String(amount)).toString()} ${currency}`
    : `${new Decimal(String(points)).toString()} points`

const worthHere = ({ row: { amount, currency, points } }: Ours) => worth(amount, currency, points)

const worthThere = ({ amount, currency, points }: BookEntry): string =>
  amount === undefined && points === undefined ? 'nothing' : worth(amount, currency, points)

const isConcluded = ({ state }: Ours) => state === 'concluded'

/** The outcome of the order here, in the protocol's words. */
const outcomeHere = ({ row, outcome }: Ours): string =>
  row.status === 'reversed' ? 'reversed' : (outcome ?? 'unknown')

/** An order that was taken back there before we knew of it has moved nothing, and is cancelled here. */
const isSameOutcome = (here: string, there: string) =>
  here === there || (here === 'cancelled' && there === 'reversed')

const describe = (ours: Ours) =>
  `${ours.kind.charge.operation} of ${worthHere(ours)} for ${holderHere(ours)}: ${outcomeHere(ours)}`

const describeThere = (entry: BookEntry) =>
  entry.operation === undefined
    ? entry.outcome
    : `${entry.operation} of ${worthThere(entry)} for ${holderThere(entry)}: ${entry.outcome}`

/** The differences of an entry; an entry of an order that was not executed needs no more than its outcome. */
const differencesOf = (ours: Ours, entry: BookEntry): Difference[] => {
  const pairs: [Differing, string, string][] = [
    ...(isConcluded(ours) && !isSameOutcome(outcomeHere(ours), entry.outcome)
      ? [['outcome', outcomeHere(ours), entry.outcome] as [Differing, string, string]]
      : []),
    ...(entry.operation === undefined
      ? []
      : ([
          ['operation', ours.kind.charge.operation, entry.operation],
          ['holder', holderHere(ours), holderThere(entry)],
          ['amount', worthHere(ours), worthThere(entry)],
        ] as [Differing, string, string][])),
  ]
  return pairs
    .filter(([what, here, there]) => what === 'outcome' || here !== there)
    .map(([what, here, there]) => ({ transactionId: ours.id, what, here, there }))
}

/** Tells whether the order has to stand there: it was sent, and its outcome is known. */
const isExpected = (ours: Ours, { charged }: CompareOptions) =>
  isConcluded(ours) && ours.wasSent && charged.has(ours.kind.name)

class Run {
  readonly #options: CompareOptions
  readonly counts: Comparison = { compared: 0, open: 0, missingThere: 0, onlyThere: 0, different: 0 }

  constructor(options: CompareOptions) {
    this.#options = options
  }

  /** An order of ours that its book does not list; it may have come between two pages. */
  async onlyHere(ours: Ours): Promise<void> {
    if (!isConcluded(ours)) this.counts.open++
    if (!isExpected(ours, this.#options)) return
    const outcome = await this.#options.book.outcomeOf(ours.id)
    if (outcome !== undefined) return this.both(ours, { transactionId: ours.id, outcome })
    this.counts.missingThere++
    this.#options.onDifference({ transactionId: ours.id, what: 'missing-there', order: describe(ours) })
  }

  onlyThere(entry: BookEntry): void {
    this.counts.onlyThere++
    this.#options.onDifference({
      transactionId: entry.transactionId,
      what: 'only-there',
      order: describeThere(entry),
    })
  }

  async both(ours: Ours, entry: BookEntry): Promise<void> {
    this.counts[isConcluded(ours) ? 'compared' : 'open']++
    const differences = await this.#confirmed(ours, entry, differencesOf(ours, entry))
    if (differences.length > 0) this.counts.different++
    for (const difference of differences) this.#options.onDifference(difference)
  }

  /** Differences that a second look confirms, here and there: outcomes change while both books are read. */
  async #confirmed(
    ours: Ours,
    entry: BookEntry,
    found: readonly Difference[],
  ): Promise<readonly Difference[]> {
    if (!found.some(({ what }) => what === 'outcome')) return found
    const outcome = (await this.#options.book.outcomeOf(ours.id)) ?? entry.outcome
    const [now = ours] = (await readPage(this.#options, before(ours.id), ours.id)).slice(0, 1)
    return differencesOf(now, { ...entry, outcome })
  }
}

/** Id just before the given one. */
const before = (id: string): string => {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Compares our orders with the book; orders that are posted meanwhile are left to the next time. @throws SetupError as the book does. */
export async function compareBooks(options: CompareOptions): Promise<Comparison> {
  const until = newId()
  const run = new Run(options)
  const [here, there] = [readOurs(options, until), options.book.entries()]
  // Ours first: what has its outcome here has it there as well.
  let [ours, theirs] = [await here.next(), await there.next()]
  while (!ours.done || !theirs.done) {
    if (!theirs.done && theirs.value.transactionId > until) {
      await there.return(undefined)
      theirs = { done: true, value: undefined }
    } else if (theirs.done || (!ours.done && ours.value.id < theirs.value.transactionId)) {
      await run.onlyHere(ours.value as Ours)
      ours = await here.next()
    } else if (ours.done || ours.value.id > theirs.value.transactionId) {
      run.onlyThere(theirs.value)
      theirs = await there.next()
    } else {
      await run.both(ours.value, theirs.value)
      ours = await here.next()
      theirs = await there.next()
    }
  }
  return run.counts
}
