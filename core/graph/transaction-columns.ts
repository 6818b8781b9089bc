/** What is read of transactions for what is selected of them. */
import type { GraphQLResolveInfo } from 'graphql'
import { COLUMN_SETS, KEYS, type RowColumns } from '../transactions/columns.ts'
import type { TransactionKind } from '../transactions/kind.ts'
import { selectedColumns } from './selected-columns.ts'
import { selectsTotal } from './selected-total.ts'

/** What is selected of a page. */
export interface SelectedPage {
  /** Of its nodes. */
  readonly columns: RowColumns
  readonly total: boolean
}

/** Of a page. */
export const selectedPage = ({ typename }: TransactionKind) => {
  const columnsOf = selectedColumns(COLUMN_SETS, KEYS, { typename, paths: [['nodes'], ['edges', 'node']] })
  return (info: GraphQLResolveInfo): SelectedPage => ({ columns: columnsOf(info), total: selectsTotal(info) })
}

/** Of one transaction. */
export const entityColumns = ({ typename }: TransactionKind) =>
  selectedColumns(COLUMN_SETS, KEYS, { typename, paths: [[]] })
