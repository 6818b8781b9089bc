/** Checks of what clients see on the way: statuses, pages of lists, and nothing of another client. */
import type { Exchange, History } from '../history/history.ts'
import type { AnswerLine } from '../history/lines.ts'
import { reaches } from '../kinds.ts'
import { type Check, group } from './check.ts'

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
    const id = ['id', 'paymentId', 'rechargeId', 'rewardId', 'redemptionId', 'otlTransactionId']
      .map(name => fields[name])
      .find(value => typeof value === 'string')
    const status = fields['transactionOperationStatus'] ?? fields['status']
    if (typeof id === 'string' && typeof status === 'string') yield { id, status }
    for (const value of Object.values(fields)) yield* statusesIn(value)
  }
}

/** A replayed answer says what was so when it was first given. */
const isReplayed = ({ headers }: AnswerLine): boolean => headers?.['idempotency-replayed'] === 'true'

const sightings = (history: History): Seen[] =>
  [...history.exchanges.values()].flatMap(({ call, answer }) =>
    answer && answer.status > 0 && answer.status < 300 && !isReplayed(answer) && call.op !== 'replay'
      ? [...statusesIn(answer.body)].map(({ id, status }) => ({
          id,
          status,
          from: call.at,
          to: answer.at,
          n: call.n,
        }))
      : [],
  )

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

export const SIGHT_CHECKS: readonly Check[] = [
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
          const later = sorted
            .slice(index + 1)
            .find(other => other.from > earlier.to && !reaches(one.kind, earlier.status, other.status))
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
    claim:
      'a page of a list has what stands at its indexes, at any time, and who follows it sees every row once',
    *find(history) {
      const pages = history.of('list')
      const rows = group(history.transactions, one => `${one.client} ${one.kind.name}`)
      for (const [key, own] of group(pages, ({ call }) => `${call.client} ${call.about!['kind']}`)) {
        const ids = (rows.get(key) ?? [])
          .toSorted((a, b) => a.clientPosition - b.clientPosition)
          .map(({ id }) => id)
        let readTo = 0
        for (const exchange of own) {
          const page = pageOf(exchange)
          if (!page) continue
          const { call, answer } = exchange
          const seek = Number(call.about!['seek'])
          const wanted = ids.slice(seek, seek + page.length)
          const total = Number(answer!.headers?.['x-total-count'])
          const at = page.findIndex(({ id }, index) => id !== wanted[index])
          if (at >= 0)
            yield `list ${key}, index ${seek + at}: ${page[at]!.id} (call #${call.n}), and it is ${wanted[at]}`
          if (page.length !== Math.min(Number(call.about!['perPage']), Math.max(0, total - seek)))
            yield `list ${key} from ${seek}: ${page.length} of ${total} (call #${call.n})`
          readTo = Math.max(readTo, seek + page.length)
        }
        if (readTo !== ids.length) yield `list ${key}: who followed it read ${readTo} of ${ids.length}`
      }
    },
  },
  {
    name: 'nobody-sees-another’s',
    claim: 'a partner is answered with nothing of another partner, and told of nothing of another',
    *find(history) {
      const owners = new Map(history.transactions.map(({ id, client }) => [id, client]))
      const correlators = new Map(
        history.posted.flatMap(({ correlator, client }) => (correlator ? [[correlator, client]] : [])),
      )
      const foreign = (client: string, text: string): string | undefined => {
        const id = text.match(UUID)?.find(one => (owners.get(one) ?? client) !== client)
        const correlator = text
          .match(/\bp[abl]-\d+-\d+(?:-\d+)?\b/g)
          ?.find(one => (correlators.get(one) ?? client) !== client)
        return id ?? correlator
      }
      for (const { call, answer } of history.exchanges.values()) {
        if (history.roleOf(call.client) !== 'partner' || answer === undefined) continue
        // A refusal names the id that was asked for; nothing is seen by that.
        const asked = String(call.about?.['id'] ?? '')
        const text = JSON.stringify([answer.body, answer.headers]).replaceAll(asked || '\u0000', '')
        const found = foreign(call.client, text)
        if (found)
          yield `${call.client} was answered with ${found} of ${owners.get(found) ?? correlators.get(found)} (call #${call.n}, ${call.op})`
        const isRead = call.op === 'read' && owners.has(asked) && owners.get(asked) !== call.client
        if (isRead && answer.status === 200 && JSON.stringify(answer.body).includes(asked))
          yield `${call.client} read ${asked} of ${owners.get(asked)} (call #${call.n})`
      }
      const clientOf = new Map(history.subscribers.map(({ name, client }) => [name, client]))
      const eventOwners = new Map(
        history.rows('events.event').map(row => [row['eventid']!, row['client_id']!]),
      )
      for (const { subscriber, eventid } of history.events) {
        const client = clientOf.get(subscriber)!
        if (history.roleOf(client) === 'partner' && (eventOwners.get(eventid) ?? client) !== client)
          yield `${subscriber} was sent event ${eventid} of ${eventOwners.get(eventid)}`
      }
    },
  },
]
