/** What is read of transactions for what is selected of them. */
import { COLUMN_SETS, KEYS } from '../transactions/columns.ts'
import type { TransactionKind } from '../transactions/kind.ts'
import { selectedColumns } from './selected-columns.ts'

/** Of the nodes of a page. */
export const pageColumns = ({ typename }: TransactionKind) =>
  selectedColumns(COLUMN_SETS, KEYS, { typename, paths: [['nodes'], ['edges', 'node']] })

/** Of one transaction. */
export const entityColumns = ({ typename }: TransactionKind) =>
  selectedColumns(COLUMN_SETS, KEYS, { typename, paths: [[]] })
