/** Tables. In a narrow window each row is a block, in which every value has its heading beside it. */
import type { ReactNode } from 'react'
import type { GraphFault } from '../graph/errors.ts'
import { useTranslation } from '../i18n/i18n.tsx'
import { Button } from './button.tsx'
import { Failed } from './states.tsx'

export interface Column<Row> {
  readonly key: string
  readonly label: ReactNode
  readonly cell: (row: Row) => ReactNode
  /** Whether the values are numbers, which are aligned at the end of the column. */
  readonly isNumber?: boolean
  /** Whether the column takes the width that the others leave. */
  readonly isWide?: boolean
}

interface TableProps<Row> {
  /** Name of the table for screen readers. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row, index: number) => string
  /** Content below a row, over its whole width. */
  readonly below?: (row: Row) => ReactNode
}

const classOf = <Row,>({ isNumber, isWide }: Column<Row>) =>
  [isNumber && 'cell-number', isWide && 'cell-wide'].filter(Boolean).join(' ') || undefined

export function Table<Row>({ label, columns, rows, keyOf, below }: TableProps<Row>) {
  return (
    <table className="table" aria-label={label}>
      <thead>
        <tr>
          {columns.map(column => (
            <th key={column.key} scope="col" className={classOf(column)}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      {rows.map((row, index) => {
        const more = below?.(row)
        return (
          <tbody key={keyOf(row, index)}>
            <tr>
              {columns.map(column => (
                <td key={column.key} className={classOf(column)}>
                  <span className="cell-label" aria-hidden="true">
                    {column.label}
                  </span>
                  <span className="cell-value">{column.cell(row)}</span>
                </td>
              ))}
            </tr>
            {more && (
              <tr className="table-below">
                <td colSpan={columns.length}>{more}</td>
              </tr>
            )}
          </tbody>
        )
      })}
    </table>
  )
}

interface MoreProps {
  readonly pages: {
    readonly hasMore: boolean
    readonly isReading: boolean
    readonly faults: readonly GraphFault[]
    more(): void
  }
}

/** Button that reads the next page of a table. After a failure it shows the reason and tries again. */
export function More({ pages }: MoreProps) {
  const { m } = useTranslation()
  if (pages.faults.length > 0) return <Failed faults={pages.faults} onRetry={pages.more} />
  if (!pages.hasMore) return null
  return (
    <p className="table-more">
      <Button onClick={pages.more} disabled={pages.isReading}>
        {pages.isReading ? m.states.loading : m.actions.more}
      </Button>
    </p>
  )
}
