/**
 * An analyst's notebook: one query over all five services, printed as a table.
 *
 *     node examples/notebook/main.ts [http://127.0.0.1:4000]
 */
import { clientOf } from '../client.ts'

const QUERY = `query Notebook {
  summary(by: ALL, groupBy: [KIND], orderBy: { field: COUNT, direction: DESC }) {
    kind count failed failureRate amount { value currency } points
  }
}`

interface Group {
  readonly kind: string
  readonly count: number
  readonly failed: number
  readonly failureRate: number | null
  readonly amount: { readonly value: number; readonly currency: string } | null
  readonly points: number | null
}

const { summary } = await clientOf('demo-analyst').graph<{ summary: readonly Group[] }>(QUERY)

console.table(
  summary.map(({ amount, points, ...group }) => ({
    ...group,
    amount: amount ? `${amount.value} ${amount.currency}` : '',
    points: points ?? '',
  })),
)
