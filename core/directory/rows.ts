/** Form that both file formats are read into: unchecked rows with their places, and the faults found in them. */

/**
 * Row of a file: an account, a line of an account, or a place where no row could be read. `at` names the place of a
 * field in the file, in the words of its format; without a field, that of the row.
 */
export type Row = AccountRow | LineRow | IssueRow

export interface AccountRow {
  readonly of: 'account'
  readonly at: (field?: string) => string
  readonly values: Readonly<Record<string, unknown>>
  /** Whether the account may come again: CSV repeats it on each of its rows; JSON may name it once only. */
  readonly repeatable: boolean
}

/** A line of the account whose row came last. */
export interface LineRow {
  readonly of: 'line'
  readonly at: (field?: string) => string
  readonly values: Readonly<Record<string, unknown>>
}

interface IssueRow {
  readonly of: 'fault'
  readonly fault: string
}

/** Rows as a parser gives them, one after the other: an account, then its lines. */
export type Rows = Iterable<Row> | AsyncIterable<Row>

export const issueRow = (issue: string): IssueRow => ({ of: 'fault', fault: issue })

/** Faults beyond this number are counted, not listed. */
const MAX_LISTED_ISSUES = 100

/** Thrown with every fault found; nothing was imported. */
export class ImportError extends Error {
  readonly issues: readonly string[]
  /** Number of faults beyond those that `issues` lists. */
  readonly more: number

  constructor(issues: readonly string[], more = 0) {
    const lines = more > 0 ? [...issues, `and ${more} more`] : issues
    super(`Nothing was imported, the file has ${issues.length + more} fault(s):\n  ${lines.join('\n  ')}`)
    this.name = 'ImportError'
    this.issues = issues
    this.more = more
  }
}

/** Collects faults, so that all of them are reported in one go. */
export class IssueList {
  readonly listed: string[] = []
  #more = 0

  add(issue: string): void {
    if (this.listed.length < MAX_LISTED_ISSUES) this.listed.push(issue)
    else this.#more++
  }

  /**
   * Ends an import with faults.
   * @throws ImportError unless there are none.
   */
  throwIfAny(): void {
    if (this.listed.length > 0) throw new ImportError(this.listed, this.#more)
  }
}
