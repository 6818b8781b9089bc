/** Checks of what clients read: lists, timeline, summary and exports equal the tables; nobody sees another's. */
import { Decimal } from 'decimal.js'
import { parse } from 'csv-parse/sync'
import type { Exchange, History, Transaction } from '../history/history.ts'
import { reaches } from '../kinds.ts'
import { type Check, group, same, sum } from './check.ts'

/** Transactions that a client may see. */
const visibleTo = (history: History, client: string): readonly Transaction[] =>
  history.roleOf(client) === 'partner' ? history.transactions.filter(one => one.client === client) : history.transactions

interface Listed {
  readonly id: string
  readonly status: string
}

const pageOf = ({ answer }: Exchange): readonly Listed[] | undefined =>
  answer?.status === 200 && Array.isArray(answer.body) ? (answer.body as Listed[]) : undefined

interface Seen {
  readonly id: string
  readonly status: string
  readonly from: number
  readonly to: number
  readonly n: number
}

/** Every pair of an id and a status in an answer, wherever it stands. */
function* statusesIn(node: unknown): Generator<Listed> {
  if (Array.isArray(node)) for (const one of node) yield* statusesIn(one)
  else if (node !== null && typeof node === 'object') {
    const fields = node as Record<string, unknown>
    const id = ['id', 'paymentId', 'rechargeId', 'rewardId', 'redemptionId', 'otlTransactionId'].map(name => fields[name]).find(value => typeof value === 'string')
    const status = fields['transactionOperationStatus'] ?? fields['status']
    if (typeof id === 'string' && typeof status === 'string') yield { id, status }
    for (const value of Object.values(fields)) yield* statusesIn(value)
  }
}

const sightings = (history: History): Seen[] =>
  [...history.exchanges.values()].flatMap(({ call, answer }) =>
    answer && answer.status > 0 && answer.status < 300
      ? [...statusesIn(answer.body)].map(({ id, status }) => ({ id, status, from: call.at, to: answer.at, n: call.n }))
      : [],
  )

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

interface TimelineNode {
  readonly kind: string
  readonly outcome: string
  readonly amount: { readonly value: number } | null
  readonly points: number | null
  readonly transaction: { readonly id: string; readonly transactionOperationStatus: string }
}

const lastRead = (history: History, op: string): Map<string, Exchange[]> => group(history.of(op), ({ call }) => call.client)

const describe = (id: string, kind: string, outcome: string, status: string, worth: Decimal.Value | null): string =>
  `${kind} ${id} ${outcome} ${status} ${worth === null ? 'none' : new Decimal(worth)}`

const described = ({ id, kind, status, worth }: Transaction): string => describe(id, kind.name, kind.outcome[status]!, status, worth)

/** What is missing in one of two sets, or beside it, in words; at most three of each. */
function* differences(found: readonly string[], expected: readonly string[], place: string): Generator<string> {
  const [there, wanted] = [new Set(found), new Set(expected)]
  for (const one of expected.filter(text => !there.has(text)).slice(0, 3)) yield `${place} lacks ${one}`
  for (const one of found.filter(text => !wanted.has(text)).slice(0, 3)) yield `${place} has ${one}, and the tables do not`
  if (there.size !== found.length) yield `${place} has something twice`
}

const nodesOf = ({ answer }: Exchange): TimelineNode[] =>
  ((answer?.body as { data?: { page?: { nodes: TimelineNode[] } } } | undefined)?.data?.page?.nodes ?? [])

export const READ_CHECKS: readonly Check[] = [
  {
    name: 'statuses-along-the-table',
    claim: 'a status that was seen later can follow the one that was seen before, and the last follows all',
    *find(history) {
      const byId = new Map(history.posted.map(one => [one.id, one]))
      for (const [id, seen] of group(sightings(history), one => one.id)) {
        const one = byId.get(id)
        if (!one) continue
        const sorted = seen.toSorted((a, b) => a.to - b.to)
        for (const [index, earlier] of sorted.entries()) {
          const later = sorted.slice(index + 1).find(other => other.from > earlier.to && !reaches(one.kind, earlier.status, other.status))
          if (later) {
            yield `${one.kind.name} ${id} was ${earlier.status} (call #${earlier.n}), and then ${later.status} (call #${later.n})`
            break
          }
          if (!reaches(one.kind, earlier.status, one.status)) {
            yield `${one.kind.name} ${id} was ${earlier.status} (call #${earlier.n}), and is ${one.status}`
            break
          }
        }
      }
    },
  },
  {
    name: 'all-settled',
    claim: 'nothing is pending at the end',
    *find(history) {
      for (const { id, kind, status } of history.posted)
        if (kind.outcome[status] === 'PENDING') yield `${kind.name} ${id} is still ${status}`
    },
  },
  {
    name: 'lists-by-index-miss-nothing',
    claim: 'a page of a list has what stands at its indexes, at any time, and who follows it sees every row once',
    *find(history) {
      const pages = history.of('list')
      const rows = group(history.transactions, one => `${one.client} ${one.kind.name}`)
      for (const [key, own] of group(pages, ({ call }) => `${call.client} ${call.about!['kind']}`)) {
        const ids = (rows.get(key) ?? []).toSorted((a, b) => a.clientPosition - b.clientPosition).map(({ id }) => id)
        let readTo = 0
        for (const exchange of own) {
          const page = pageOf(exchange)
          if (!page) continue
          const { call, answer } = exchange
          const seek = Number(call.about!['seek'])
          const wanted = ids.slice(seek, seek + page.length)
          const total = Number(answer!.headers?.['x-total-count'])
          const at = page.findIndex(({ id }, index) => id !== wanted[index])
          if (at >= 0) yield `list ${key}, index ${seek + at}: ${page[at]!.id} (call #${call.n}), and it is ${wanted[at]}`
          if (page.length !== Math.min(Number(call.about!['perPage']), Math.max(0, total - seek)))
            yield `list ${key} from ${seek}: ${page.length} of ${total} (call #${call.n})`
          readTo = Math.max(readTo, seek + page.length)
        }
        if (readTo !== ids.length) yield `list ${key}: who followed it read ${readTo} of ${ids.length}`
      }
    },
  },
  {
    name: 'timeline-equals-tables',
    claim: 'the timeline has each transaction that a client may see, as the table has it',
    *find(history) {
      for (const [client, pages] of lastRead(history, 'final-timeline')) {
        const found = pages.flatMap(nodesOf).map(node =>
          describe(node.transaction.id, node.kind, node.outcome, node.transaction.transactionOperationStatus, node.amount?.value ?? node.points),
        )
        yield* differences(found, visibleTo(history, client).map(described), `the timeline of ${client}`)
      }
      const entries = history.rows('activity.entry').map(row => describe(row['id']!, row['kind']!, row['outcome']!, row['status']!, row['amount'] ?? row['points'] ?? null))
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
        const found = group(history.rows(table), row => `${row['client_id']} ${row['kind']} ${row['outcome']}`)
        const expected = group(history.transactions, ({ client, kind, status }) => `${client} ${kind.name} ${kind.outcome[status]}`)
        for (const key of new Set([...expected.keys(), ...found.keys()])) {
          const rows = found.get(key) ?? []
          const own = expected.get(key) ?? []
          const moved = sum(rows.flatMap(row => [row['amount'], row['points']]))
          if (!same(sum(rows.map(row => row['entries'])), own.length) || !same(moved, sum(own.map(({ worth }) => worth))))
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
          describe(row['id']!, row['kind']!, row['outcome']!, row['transactionOperationStatus']!, row['amount'] || row['points'] || null),
        )
        yield* differences(found, visibleTo(history, client).map(described), `the export of ${client}`)
      }
    },
  },
  {
    name: 'nobody-sees-another’s',
    claim: 'a partner is answered with nothing of another partner, and told of nothing of another',
    *find(history) {
      const owners = new Map(history.transactions.map(({ id, client }) => [id, client]))
      const correlators = new Map(history.posted.flatMap(({ correlator, client }) => (correlator ? [[correlator, client]] : [])))
      const foreign = (client: string, text: string): string | undefined => {
        const id = text.match(UUID)?.find(one => (owners.get(one) ?? client) !== client)
        const correlator = text.match(/\bp[abl]-\d+-\d+(?:-\d+)?\b/g)?.find(one => (correlators.get(one) ?? client) !== client)
        return id ?? correlator
      }
      for (const { call, answer } of history.exchanges.values()) {
        if (history.roleOf(call.client) !== 'partner' || answer === undefined) continue
        // A refusal names the id that was asked for; nothing is seen by that.
        const asked = String(call.about?.['id'] ?? '')
        const text = JSON.stringify([answer.body, answer.headers]).replaceAll(asked || '\u0000', '')
        const found = foreign(call.client, text)
        if (found) yield `${call.client} was answered with ${found} of ${owners.get(found) ?? correlators.get(found)} (call #${call.n}, ${call.op})`
        const isRead = call.op === 'read' && owners.has(asked) && owners.get(asked) !== call.client
        if (isRead && answer.status === 200 && JSON.stringify(answer.body).includes(asked))
          yield `${call.client} read ${asked} of ${owners.get(asked)} (call #${call.n})`
      }
      const clientOf = new Map(history.subscribers.map(({ name, client }) => [name, client]))
      const eventOwners = new Map(history.rows('events.event').map(row => [row['eventid']!, row['client_id']!]))
      for (const { subscriber, eventid } of history.events) {
        const client = clientOf.get(subscriber)!
        if (history.roleOf(client) === 'partner' && (eventOwners.get(eventid) ?? client) !== client)
          yield `${subscriber} was sent event ${eventid} of ${eventOwners.get(eventid)}`
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

