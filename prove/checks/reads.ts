/** Checks of what clients read: timeline, summary and exports equal the tables. */

import { parse } from 'csv-parse/sync'
import { Decimal } from 'decimal.js'
import type { Exchange, History, Transaction } from '../history/history.ts'
import { type Check, group, same, sum } from './check.ts'

/** Transactions that a client may see. */
const visibleTo = (history: History, client: string): readonly Transaction[] =>
  history.roleOf(client) === 'partner'
    ? history.transactions.filter(one => one.client === client)
    : history.transactions

interface TimelineNode {
  readonly kind: string
  readonly outcome: string
  readonly amount: { readonly value: number } | null
  readonly points: number | null
  readonly transaction: { readonly id: string; readonly transactionOperationStatus: string }
}

const lastRead = (history: History, op: string): Map<string, Exchange[]> =>
  group(history.of(op), ({ call }) => call.client)

const describe = (
  id: string,
  kind: string,
  outcome: string,
  status: string,
  worth: Decimal.Value | null,
): string => `${kind} ${id} ${outcome} ${status} ${worth === null ? 'none' : new Decimal(worth)}`

const described = ({ id, kind, status, worth }: Transaction): string =>
  describe(id, kind.name, kind.outcome[status]!, status, worth)

/** Members that one of two sets lacks or has beside the other, in words; at most three of each. */
function* differences(
  found: readonly string[],
  expected: readonly string[],
  place: string,
): Generator<string> {
  const [there, wanted] = [new Set(found), new Set(expected)]
  for (const one of expected.filter(text => !there.has(text)).slice(0, 3)) yield `${place} lacks ${one}`
  for (const one of found.filter(text => !wanted.has(text)).slice(0, 3))
    yield `${place} has ${one}, and the tables do not`
  if (there.size !== found.length) yield `${place} has something twice`
}

const nodesOf = ({ answer }: Exchange): TimelineNode[] =>
  (answer?.body as { data?: { page?: { nodes: TimelineNode[] } } } | undefined)?.data?.page?.nodes ?? []

export const READ_CHECKS: readonly Check[] = [
  {
    name: 'timeline-equals-tables',
    claim: 'the timeline has each transaction that a client may see, as the table has it',
    *find(history) {
      for (const [client, pages] of lastRead(history, 'final-timeline')) {
        const found = pages
          .flatMap(nodesOf)
          .map(node =>
            describe(
              node.transaction.id,
              node.kind,
              node.outcome,
              node.transaction.transactionOperationStatus,
              node.amount?.value ?? node.points,
            ),
          )
        yield* differences(found, visibleTo(history, client).map(described), `the timeline of ${client}`)
      }
      const entries = history
        .rows('activity.entry')
        .map(row =>
          describe(
            row['id']!,
            row['kind']!,
            row['outcome']!,
            row['status']!,
            row['amount'] ?? row['points'] ?? null,
          ),
        )
      yield* differences(entries, history.transactions.map(described), 'activity.entry')
    },
  },
  {
    name: 'summary-equals-tables',
    claim: 'sums by client, by day and in the graph are those of the transactions, to the last digit',
    *find(history) {
      for (const [client, [exchange]] of lastRead(history, 'final-summary')) {
        const { data } = (exchange!.answer?.body ?? {}) as { data?: { summary: SummaryRow[] } }
        const expected = group(visibleTo(history, client), one => `${one.client} ${one.kind.name}`)
        const found = group(data?.summary ?? [], row => `${row.partner?.id ?? client} ${row.kind}`)
        for (const key of new Set([...expected.keys(), ...found.keys()])) {
          const own = expected.get(key) ?? []
          const rows = found.get(key) ?? []
          const done = own.filter(({ kind, status }) => status === kind.done)
          const count = rows.reduce((total, row) => total + row.count, 0)
          const moved = sum(rows.map(row => String(row.amount?.value ?? row.points ?? 0)))
          if (count !== own.length || !same(moved, sum(done.map(({ worth }) => worth))))
            yield `the summary of ${client} says of ${key} ${count} and ${moved}, and the tables ${own.length} and ${sum(done.map(({ worth }) => worth))} (call #${exchange!.call.n})`
        }
      }
      for (const table of ['activity.client_day', 'activity.total_day']) {
        const found = group(
          history.rows(table),
          row => `${row['client_id']} ${row['kind']} ${row['outcome']}`,
        )
        const expected = group(
          history.transactions,
          ({ client, kind, status }) => `${client} ${kind.name} ${kind.outcome[status]}`,
        )
        for (const key of new Set([...expected.keys(), ...found.keys()])) {
          const rows = found.get(key) ?? []
          const own = expected.get(key) ?? []
          const moved = sum(rows.flatMap(row => [row['amount'], row['points']]))
          if (
            !same(sum(rows.map(row => row['entries'])), own.length) ||
            !same(moved, sum(own.map(({ worth }) => worth)))
          )
            yield `${table} says of ${key} ${sum(rows.map(row => row['entries']))} and ${moved}, and the tables ${own.length} and ${sum(own.map(({ worth }) => worth))}`
        }
      }
    },
  },
  {
    name: 'export-equals-tables',
    claim: 'the CSV of a client has each transaction that it may see, as the table has it',
    *find(history) {
      for (const [client, [exchange]] of lastRead(history, 'final-export')) {
        const { body, status } = exchange!.answer ?? {}
        if (status !== 200) {
          yield `the export of ${client} was not answered (call #${exchange!.call.n})`
          continue
        }
        const rows = parse(String(body), { columns: true, bom: true }) as Record<string, string>[]
        const found = rows.map(row =>
          describe(
            row['id']!,
            row['kind']!,
            row['outcome']!,
            row['transactionOperationStatus']!,
            row['amount'] || row['points'] || null,
          ),
        )
        yield* differences(found, visibleTo(history, client).map(described), `the export of ${client}`)
      }
    },
  },
]

interface SummaryRow {
  readonly kind: string
  readonly partner: { readonly id: string } | null
  readonly count: number
  readonly amount: { readonly value: number } | null
  readonly points: number | null
}
