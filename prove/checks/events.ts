/** Checks of events: one for each final status, without a hole, seen once and in order by every subscriber. */
import type { History, Row } from '../history/history.ts'
import { KINDS } from '../kinds.ts'
import { type Check, group, repeated } from './check.ts'

/** The whole log: a partner's statements and endpoints have events in it too. */
const log = (history: History): readonly Row[] =>
  history.rows('events.event').toSorted((a, b) => Number(a['position']) - Number(b['position']))

/** Events of transactions, which clients subscribe to. */
const events = (history: History): readonly Row[] =>
  log(history).filter(row => KINDS.some(({ name }) => name === row['kind']))

/** Statuses that must have an event each, in their order. */
const announced = (status: string, done: string, isPending: boolean): string[] => {
  if (isPending) return []
  return status === 'reversed' ? [done, 'reversed'] : [status]
}

/** Events that a subscriber must see, from where it began. */
const expectedBy = (history: History, { client, kind }: { client: string; kind?: string }): Row[] =>
  events(history).filter(
    row =>
      Number(row['position']) > history.before.event &&
      (kind === undefined || row['kind'] === kind) &&
      (history.roleOf(client) !== 'partner' || row['client_id'] === client),
  )

/** The first place at which two lists differ, in words. */
const firstDifference = (seen: readonly string[], expected: readonly string[]): string | undefined => {
  const at = expected.findIndex((id, index) => seen[index] !== id)
  if (at >= 0) return `event ${at + 1} is ${seen[at] ?? 'missing'}, and should be ${expected[at]}`
  return seen.length > expected.length
    ? `event ${expected.length + 1}, ${seen[expected.length]}, is not in the log`
    : undefined
}

export const EVENT_CHECKS: readonly Check[] = [
  {
    name: 'one-event-each',
    claim:
      'each transaction has one event for its final status, a reversed one another, and a pending one none',
    *find(history) {
      const byTransaction = group(events(history), row => row['transaction_id']!)
      for (const { id, kind, status } of history.posted) {
        const expected = announced(status, kind.done, kind.outcome[status] === 'PENDING')
        const found = (byTransaction.get(id) ?? []).map(row => row['operation_status']!)
        if (found.join() !== expected.join())
          yield `${kind.name} ${id} is ${status}, and has events for ${found.join(', ') || 'nothing'}`
      }
    },
  },
  {
    name: 'event-tells-the-truth',
    claim: 'an event says of its transaction what the table says',
    *find(history) {
      const byId = new Map(history.transactions.map(one => [one.id, one]))
      for (const event of events(history)) {
        const one = byId.get(event['transaction_id']!)
        if (!one) continue
        const isDone = event['operation_status'] === one.kind.done
        const [type, status] = isDone ? ['PAYMENT_COMPLETED', 'succeeded'] : ['PAYMENT_FAILED', 'failed']
        const told = [
          event['kind'],
          event['client_id'],
          event['client_correlator_id'] ?? null,
          event['event_type'],
          event['status'],
        ]
        const true_ = [one.kind.name, one.client, one.correlator, type, status]
        if (told.join() !== true_.join())
          yield `event ${event['eventid']} says ${told.join(' ')}, and ${one.id} is ${true_.join(' ')}`
      }
    },
  },
  {
    name: 'log-without-holes',
    claim:
      'positions of events, of all transactions and of those of each client follow each other without a hole',
    *find(history) {
      const sequences: [string, number[]][] = [['events', log(history).map(row => Number(row['position']))]]
      for (const [kind, rows] of group(history.transactions, one => one.kind.name)) {
        sequences.push([kind, rows.map(({ position }) => position)])
        for (const [client, own] of group(rows, one => one.client))
          sequences.push([`${kind} of ${client}`, own.map(({ clientPosition }) => clientPosition)])
      }
      for (const [name, positions] of sequences) {
        const sorted = positions.toSorted((a, b) => a - b)
        const hole = sorted.findIndex((position, index) => position !== sorted[0]! + index)
        if (hole >= 0) yield `${name}: ${sorted[hole]} follows ${sorted[hole - 1]}`
      }
    },
  },
  {
    name: 'subscribers-see-each-once',
    claim: 'a subscriber that resumes sees each event once, in the order of the log, and no other',
    *find(history) {
      const seenBy = group(history.events, ({ subscriber }) => subscriber)
      for (const subscriber of history.subscribers) {
        const seen = (seenBy.get(subscriber.name) ?? []).map(({ eventid }) => eventid)
        const expected = expectedBy(history, subscriber).map(row => row['eventid']!)
        const twice = repeated(seen)
        const what = twice ? `event ${twice} came twice` : firstDifference(seen, expected)
        if (what)
          yield `${subscriber.name} over ${subscriber.transport}: ${what} (${seen.length} seen of ${expected.length})`
      }
    },
  },
  {
    name: 'interventions-hold',
    claim: 'what a portal was told to be cancelled or reversed is so at the end',
    *find(history) {
      const byId = new Map(history.posted.map(one => [one.id, one]))
      for (const { call, answer } of history.of('cancel', 'reverse')) {
        const { data } = (answer?.body ?? {}) as {
          data?: { result?: { id: string; transactionOperationStatus: string } }
        }
        const told = data?.result?.transactionOperationStatus
        if (told !== 'cancelled' && told !== 'reversed') continue
        const now = byId.get(data!.result!.id)?.status
        if (now !== told)
          yield `call #${call.n} was told that ${data!.result!.id} is ${told}, and it is ${now}`
      }
    },
  },
]
