/** Validates every row of an import and builds batches of the valid ones, ready for one round of statements each. */
import { ACCOUNT_FIELDS, LINE_FIELDS, readFields, readPhone, type Value } from './fields.ts'
import { type AccountRow, IssueList, type LineRow, type Row, type Rows } from './rows.ts'

/**
 * The rows of one round of statements as JSON texts, the compact form in which they wait and travel to the database. An
 * account comes in the batch of its first line or an earlier one.
 */
export interface Batch {
  readonly rows: number
  readonly accounts: string
  readonly lines: string
  readonly balances: string
}

/**
 * Rows of a batch: large enough that a statement's own cost does not matter, small enough to stay far below a statement
 * time limit.
 */
const BATCH_ROWS = 2_000
/** Currency in which the directory keeps dues and prepaid credit (contract document 1, "Customer": totalDues). */
const CURRENCY = 'OMR'

/** Collects rows until a batch is full. */
class BatchBuilder {
  readonly #batches: Batch[] = []
  #accounts: unknown[] = []
  #lines: unknown[] = []
  #balances: unknown[] = []

  addAccount({ totalDues, ...account }: Record<string, Value>): void {
    this.#accounts.push(account)
    this.#addBalance('dues', account.customerAccountNumber, CURRENCY, totalDues)
    this.#endRow()
  }

  addLine({ prepaidBalance, pointsBalance, ...line }: Record<string, Value>): void {
    this.#lines.push(line)
    this.#addBalance('prepaid', line.number, CURRENCY, prepaidBalance)
    this.#addBalance('points', line.number, '', pointsBalance)
    this.#endRow()
  }

  /** The batches, the last one included. */
  finish(): Batch[] {
    this.#endBatch()
    return this.#batches
  }

  #addBalance(kind: string, holder: Value | undefined, currency: string, amount: Value | undefined): void {
    if (amount != null) this.#balances.push({ kind, holder, currency, amount })
  }

  #endRow(): void {
    if (this.#accounts.length + this.#lines.length >= BATCH_ROWS) this.#endBatch()
  }

  #endBatch(): void {
    const rows = this.#accounts.length + this.#lines.length
    const [accounts, lines, balances] = [this.#accounts, this.#lines, this.#balances].map(list =>
      JSON.stringify(list),
    )
    if (rows > 0) this.#batches.push({ rows, accounts: accounts!, lines: lines!, balances: balances! })
    this.#accounts = []
    this.#lines = []
    this.#balances = []
  }
}

type AccountValues = Record<keyof typeof ACCOUNT_FIELDS, Value>
type LineValues = Record<keyof typeof LINE_FIELDS, Value>

/** An account's first row, for those that name it again. */
interface First {
  readonly place: string
  readonly values: AccountValues
}

/** Rows between two reports of progress: often enough to look alive, seldom enough to cost nothing. */
const PROGRESS_EVERY = 1_000

class RowValidator {
  readonly issues = new IssueList()
  readonly batches = new BatchBuilder()
  readonly #countryCode: string
  readonly #accounts = new Map<Value, First>()
  readonly #lines = new Map<string, string>()
  #account: Value = null

  constructor(countryCode: string) {
    this.#countryCode = countryCode
  }

  take(row: Row): void {
    if (row.of === 'fault') this.issues.add(row.fault)
    else if (row.of === 'account') this.#takeAccount(row)
    else this.#takeLine(row)
  }

  #takeAccount(row: AccountRow): void {
    const values = readFields(row, ACCOUNT_FIELDS, this.issues)
    this.#account = values.customerAccountNumber
    const first = this.#accounts.get(this.#account)
    if (first) this.#compare(row, values, first)
    else if (this.#account !== null) {
      this.#accounts.set(this.#account, { place: row.at(), values })
      this.batches.addAccount(values)
    }
  }

  /** Compares a row with the first one of its account: it may leave fields out, but not contradict them. */
  #compare(row: AccountRow, values: AccountValues, first: First): void {
    if (!row.repeatable)
      this.issues.add(`${row.at('customerAccountNumber')} is the same as that of ${first.place}`)
    else {
      const names = Object.keys(values) as (keyof AccountValues)[]
      const differing = names.filter(name => values[name] !== null && values[name] !== first.values[name])
      for (const name of differing)
        this.issues.add(`${row.at(name)} differs from that of the same account at ${first.place}`)
    }
  }

  #takeLine(row: LineRow): void {
    const values = readFields(row, LINE_FIELDS, this.issues)
    if (values.kind !== null && values.kind !== 'phone') this.#refuseBalances(row, values)
    const number = this.#numberOf(row, values)
    if (number !== null) this.#addLine(row, { ...values, number })
  }

  #numberOf(row: LineRow, { kind, number }: LineValues): Value {
    if (kind === null || number === null) return null
    return kind === 'internetAccount' ? number : readPhone(row, `${number}`, this.#countryCode, this.issues)
  }

  #addLine(row: LineRow, values: LineValues): void {
    const key = `${values.kind} ${values.number}`
    const first = this.#lines.get(key)
    if (first) this.issues.add(`${row.at('number')} is the same ${values.kind} as ${first}`)
    else {
      this.#lines.set(key, row.at('number'))
      this.batches.addLine({ ...values, accountNumber: this.#account })
    }
  }

  #refuseBalances(row: LineRow, values: LineValues): void {
    for (const name of ['prepaidBalance', 'pointsBalance'] as const) {
      if (values[name] !== null) this.issues.add(`${row.at(name)} is for phone lines only`)
    }
  }
}

/**
 * Checks all rows, also after a faulty one, so that one run finds every fault.
 * @throws ImportError with the faults.
 */
export async function validateRows(
  rows: Rows,
  countryCode: string,
  onProgress: (done: number) => void,
): Promise<Batch[]> {
  const checker = new RowValidator(countryCode)
  let done = 0
  for await (const row of rows) {
    checker.take(row)
    done += 1
    if (done % PROGRESS_EVERY === 0) onProgress(done)
  }
  checker.issues.throwIfAny()
  return checker.batches.finish()
}
