/** Builds batches of valid rows: JSON text, the compact form in which they wait and travel to the database. */
import type { Value } from './fields.ts'

/** What one round of statements writes; an account comes in the batch of its first line or an earlier one. */
export interface Batch {
  readonly rows: number
  readonly accounts: string
  readonly lines: string
  readonly balances: string
}

/** Large enough that a statement's own cost is lost in it, small enough to stay far below a statement time limit. */
const BATCH_ROWS = 2_000
/** The directory keeps dues and prepaid credit in the operator's currency (contract document 1, "Customer": totalDues). */
const CURRENCY = 'OMR'

/** Collects rows until a batch is full. */
export class BatchBuilder {
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
