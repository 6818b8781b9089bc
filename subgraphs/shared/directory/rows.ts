/** What both file formats are read into: unchecked rows with their places, and the faults found in them. */

/**
 * One account, one line of an account, or a place where no row could be read.
 * `at` says where a field stands in the file, in the words of its format; without a field, where the row stands.
 */
export type Row = AccountRow | LineRow | FaultRow

export interface AccountRow {
  readonly of: 'account'
  readonly at: (field?: string) => string
  readonly values: Readonly<Record<string, unknown>>
  /** CSV repeats an account on each of its rows; JSON may name it once only. */
  readonly repeatable: boolean
}

/** A line of the account whose row came last. */
export interface LineRow {
  readonly of: 'line'
  readonly at: (field?: string) => string
  readonly values: Readonly<Record<string, unknown>>
}

export interface FaultRow {
  readonly of: 'fault'
  readonly fault: string
}

/** Rows as a parser gives them, one after the other: an account, then its lines. */
export type Rows = Iterable<Row> | AsyncIterable<Row>

export const faultRow = (fault: string): FaultRow => ({ of: 'fault', fault })

/** Faults beyond this number are counted, not listed. */
export const MAX_LISTED_FAULTS = 100

/** Thrown with every fault found; nothing was imported. */
export class ImportError extends Error {
  readonly faults: readonly string[]
  /** How many more there are than `faults` lists. */
  readonly more: number

  constructor(faults: readonly string[], more = 0) {
    const lines = more > 0 ? [...faults, `and ${more} more`] : faults
    super(`Nothing was imported, the file has ${faults.length + more} fault(s):\n  ${lines.join('\n  ')}`)
    this.name = 'ImportError'
    this.faults = faults
    this.more = more
  }
}

/** Collects faults, so that all of them are reported in one go. */
export class Faults {
  readonly listed: string[] = []
  #more = 0

  add(fault: string): void {
    if (this.listed.length < MAX_LISTED_FAULTS) this.listed.push(fault)
    else this.#more++
  }

  /** @throws ImportError unless there are none. */
  throwIfAny(): void {
    if (this.listed.length > 0) throw new ImportError(this.listed, this.#more)
  }
}
