/** A timeline as CSV: all that its filters leave, read page by page and kept as a file's parts. */
import { type Cell, saveFile, toCsv } from '../../kit/copy.ts'
import type { Entry } from './entry.ts'
import type { Filters } from './filters.ts'
import { readPage, type Scope } from './scope.ts'

const PAGE = 200

const HEADING = [
  'id',
  'kind',
  'occurredAt',
  'outcome',
  'reason',
  'amount',
  'currency',
  'points',
  'description',
  'postedBy',
  'clientCorrelatorId',
  'referenceCode',
]

const rowOf = ({ transaction, kind, occurredAt, outcome, amount, points, description }: Entry): Cell[] => [
  transaction?.id,
  kind,
  occurredAt,
  outcome,
  transaction?.reason,
  amount?.value,
  amount?.currency,
  points,
  description,
  transaction?.postedBy?.id,
  transaction?.clientCorrelatorId,
  transaction?.referenceCode,
]

const nameOf = (scope: Scope): string =>
  scope.of === 'all' ? 'timeline' : scope.of === 'customer' ? `customer ${scope.account}` : scope.number

/**
 * Saves every entry.
 * @param onProgress hears how many have been read.
 * @throws Error where a page cannot be had: half a file would look like a whole one.
 */
export async function exportTimeline(
  scope: Scope,
  filters: Filters,
  onProgress: (count: number) => void,
): Promise<void> {
  const parts: BlobPart[] = ['\uFEFF', toCsv([HEADING])]
  let count = 0
  let after: string | undefined
  onProgress(0)
  do {
    const { entries, next, faults } = await readPage(scope, filters, PAGE, after)
    const [fault] = faults
    if (fault) throw new Error(fault.message)
    // A blob is kept by the browser outside of the page's memory.
    parts.push(new Blob([toCsv(entries.map(rowOf))]))
    count += entries.length
    onProgress(count)
    after = next
  } while (after !== undefined)
  saveFile(`${nameOf(scope)}.csv`, parts, 'text/csv;charset=utf-8')
}
