/** Checks of the run itself: answers that the contract foresees, processes that stay, all of it back after the last fault. */
import type { Exchange, History } from '../history/history.ts'
import type { Check } from './check.ts'

/** Statuses that may come of any call while faults are made. */
const PASSING = new Set([0, 401, 503, 504])

interface GraphError {
  readonly message: string
  readonly extensions?: { readonly code?: string; readonly http?: { readonly status: number } }
}

const errorsOf = ({ answer }: Exchange): readonly GraphError[] =>
  (answer?.body as { errors?: GraphError[] } | undefined)?.errors ?? []

/** Statuses of refusals that a purpose may meet. */
const REFUSALS: Readonly<Record<string, readonly number[]>> = {
  post: [400, 403, 409],
  batch: [400],
  reuse: [422],
  read: [404],
  cancel: [400, 404, 409],
  reverse: [400, 404, 409],
}

/** Status that says how a call ended, over whichever interface. */
const endsOf = (exchange: Exchange): { status: number; text: string }[] => {
  const { call, answer } = exchange
  if (!answer) return []
  if (call.via === 'graph' && errorsOf(exchange).length > 0)
    return errorsOf(exchange).map(({ message, extensions }) => ({
      status: extensions?.http?.status ?? 500,
      text: `${extensions?.code} ${message}`,
    }))
  return [{ status: answer.status, text: JSON.stringify(answer.body ?? answer.error).slice(0, 300) }]
}

const notices = (history: History, ...what: readonly string[]) =>
  history.notices.filter(notice => what.includes(notice.what)).map(({ text }) => text)

/** Faults for which a server may find no database. */
const OF_DATABASE = /PostgreSQL|backend|connections|database|disk|standby|primary|wire/
/** Time in which such a fault may act before its line, as a promotion does, and a start may have met it after. */
const AROUND_MS = 30_000

/** Whether such a fault held at a moment, or shortly before. */
const lacksDatabase = ({ faults }: History, at: number): boolean =>
  faults.some(({ n, name, at: begun, phase, ms }) => {
    if (phase !== 'begin' || begun - AROUND_MS > at || !OF_DATABASE.test(name)) return false
    const end = faults.find(one => one.n === n && one.phase !== 'begin')?.at ?? Number.POSITIVE_INFINITY
    return at <= Math.max(end, begun + ms) + AROUND_MS
  })

export const RUN_CHECKS: readonly Check[] = [
  {
    name: 'answers-are-foreseen',
    claim: 'every answer is one that the contract has for that call',
    *find(history) {
      for (const exchange of history.exchanges.values())
        for (const { status, text } of endsOf(exchange)) {
          const { op, n } = exchange.call
          const isSuccess = status === 200 || status === 201
          if (isSuccess || PASSING.has(status) || REFUSALS[op]?.includes(status)) continue
          yield `call #${n} (${op}) was answered with ${status}: ${text}`
        }
      yield* notices(history, 'subscriber')
    },
  },
  {
    name: 'processes-stay',
    claim:
      'no server ends unless it is killed, or starts while its database takes nothing; each stops in order when it is told to',
    *find(history) {
      yield* notices(history, 'ended-by-itself', 'stopped')
      for (const { what, at, text } of history.notices)
        if (what === 'refused-start' && !lacksDatabase(history, at))
          yield `${text}, and no fault had hit the database`
    },
  },
  {
    name: 'all-comes-back',
    claim: 'after the last fault every server serves, and all that was under way is settled',
    find: history => notices(history, 'not-recovered', 'not-settled'),
  },
  {
    name: 'the-run-was-real',
    claim: 'something was posted, acknowledged, listed, heard and called, and its tables were read',
    *find(history) {
      const acknowledged = history.attempts.filter(({ outcome }) => outcome.is === 'written').length
      const counts = {
        'acknowledged posts': acknowledged,
        transactions: history.posted.length,
        'pages of lists': history.of('list').length,
        events: history.events.length,
        webhooks: history.hooks.length,
        'final timelines': history.of('final-timeline').length,
        'rows of sums': history.rows('activity.client_day').length,
      }
      for (const [what, count] of Object.entries(counts)) if (count === 0) yield `there are no ${what}`
    },
  },
]
