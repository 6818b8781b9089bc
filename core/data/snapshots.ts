/**
 * Snapshots of PostgreSQL: which transactions a statement sees. Two statements that see the same ones see the same data. So an
 * answer holds for as long as no others are seen than those that are known to change nothing that answers show.
 */

/** Number of transactions between two snapshots up to which they are compared: others count as different. */
const MOST_BETWEEN = 1_000

/** Ignored transactions that are remembered: some hours of a busy process. */
const MOST_IGNORED = 100_000

interface Snapshot {
  /** First transaction that was not given its number yet, or had none of those before it complete. */
  readonly next: number
  /** Transactions before it that were not complete. */
  readonly running: ReadonlySet<number>
}

/** Reads `pg_snapshot` as text: `xmin:xmax:xip,…`; subtransactions complete with theirs. */
const parse = (text: string): Snapshot => {
  const [, next, running = ''] = text.split(':')
  return { next: Number(next), running: new Set(running ? running.split(',').map(Number) : []) }
}

/** Transactions that the later of two snapshots sees and the earlier does not; undefined where they are too many. */
const completedBetween = (earlier: Snapshot, later: Snapshot): number[] | undefined => {
  const count = later.next - earlier.next
  if (!(count >= 0 && count + earlier.running.size <= MOST_BETWEEN)) return undefined
  const begun = Array.from({ length: count }, (_, index) => earlier.next + index)
  return [...earlier.running, ...begun].filter(one => !later.running.has(one))
}

/** Transactions that change nothing that a stored answer shows: records of who asked, for one. */
export class IgnoredTransactions {
  readonly #ignored = new Set<number>()

  /** Ignores a transaction by its number, as `pg_current_xact_id()` gives it. */
  add(transaction: string): void {
    this.#ignored.add(Number(transaction))
    if (this.#ignored.size <= MOST_IGNORED) return
    const [oldest] = this.#ignored
    this.#ignored.delete(oldest!)
  }

  /**
   * Whether two snapshots of one server see the same data, as far as answers show it.
   * @param earlier text of `pg_current_snapshot()`.
   * @param later text of one that was taken after it.
   */
  areAlike(earlier: string, later: string): boolean {
    if (earlier === later) return true
    return (
      completedBetween(parse(earlier), parse(later))?.every(transaction => this.#ignored.has(transaction)) ??
      false
    )
  }
}
