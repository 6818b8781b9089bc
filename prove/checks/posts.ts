/** Checks of what was posted: acknowledged transactions exist, none twice, unknown ones whole or not at all. */
import {
  type Attempt,
  type History,
  nameOfPost,
  nameOfTransaction,
  type Row,
  type Transaction,
} from '../history/history.ts'
import { type Check, group, same } from './check.ts'

const calls = (attempts: readonly Attempt[]): string =>
  `calls ${attempts
    .slice(0, 6)
    .map(({ exchange, outcome }) => `#${exchange.call.n} ${outcome.is}`)
    .join(', ')}`

const byName = (history: History) => group(history.posted, nameOfTransaction)
const attemptsByName = (history: History) => group(history.attempts, nameOfPost)

/** How a row differs from what was posted; undefined where it does not. */
const difference = ({ post }: Attempt, row: Transaction): string | undefined => {
  if (post.worth !== undefined && !(row.worth !== null && same(post.worth, row.worth)))
    return `is of ${row.worth}, posted with ${post.worth}`
  const holder = post.kind === 'MESSAGE' ? row.row['mobile_number'] : row.holder
  if (holder !== post.holder) return `is for ${holder}, posted for ${post.holder}`
  if (post.receiver !== undefined && !row.row['webhook_url']?.endsWith(`/${post.receiver}`))
    return `has the webhook ${row.row['webhook_url']}, posted with that of ${post.receiver}`
  return undefined
}

/** Statements and endpoints of partners have events and deliveries too, which are of no transaction. */
const isOfTransaction = ({ kind }: Row): boolean =>
  kind === undefined || !['STATEMENT', 'ENDPOINT'].includes(kind ?? '')

export const POST_CHECKS: readonly Check[] = [
  {
    name: 'acknowledged-exists',
    claim: 'each acknowledged transaction is there, under the id that was answered, as it was posted',
    *find(history) {
      const rows = new Map(history.posted.map(row => [row.id, row]))
      for (const attempt of history.attempts) {
        const { outcome, exchange } = attempt
        if (outcome.is !== 'written' && !(outcome.is === 'repeated' && outcome.id)) continue
        const row = rows.get(outcome.id!)
        if (!row)
          yield `${nameOfPost(attempt)}: call #${exchange.call.n} named ${outcome.id}, which is not there`
        else if (nameOfTransaction(row) !== nameOfPost(attempt))
          yield `${nameOfPost(attempt)}: call #${exchange.call.n} named ${outcome.id}, which is ${nameOfTransaction(row)}`
        else {
          const what = difference(attempt, row)
          if (what) yield `${nameOfPost(attempt)}: ${row.id} ${what} (call #${exchange.call.n})`
        }
      }
    },
  },
  {
    name: 'one-per-correlator',
    claim:
      'there is at most one transaction for a correlator of a client and kind, and one answer creates it',
    *find(history) {
      for (const [name, rows] of byName(history))
        if (rows.length > 1) yield `${name}: there are ${rows.length}, ${rows.map(({ id }) => id).join(' ')}`
      for (const [name, attempts] of attemptsByName(history)) {
        const written = attempts.filter(({ outcome }) => outcome.is === 'written')
        if (written.length > 1) yield `${name}: it was created ${written.length} times, ${calls(written)}`
      }
    },
  },
  {
    name: 'unknown-whole-or-absent',
    claim: 'a transaction whose outcome nobody was told is there whole, as it was posted, or not at all',
    *find(history) {
      const rows = byName(history)
      const ids = new Set(history.transactions.map(({ id }) => id))
      for (const [name, attempts] of attemptsByName(history)) {
        if (attempts.some(({ outcome }) => outcome.is === 'written' || outcome.is === 'repeated')) continue
        const row = rows.get(name)?.[0]
        const what = row && difference(attempts[0]!, row)
        if (what) yield `${name}: ${row.id} ${what}; ${calls(attempts)}`
      }
      for (const [table, column] of PARTS)
        for (const row of history.rows(table))
          if (isOfTransaction(row) && !ids.has(row[column]!))
            yield `${table} has ${row[column]}, of which there is no transaction`
    },
  },
  {
    name: 'refused-writes-nothing',
    claim: 'what was only ever refused, or answered with 504, was not written',
    *find(history) {
      const rows = byName(history)
      for (const [name, attempts] of attemptsByName(history)) {
        const isRefused = attempts.every(
          ({ outcome }) => outcome.is === 'refused' || outcome.is === 'not-written',
        )
        const row = rows.get(name)?.[0]
        if (isRefused && row) yield `${name}: ${row.id} is there; ${calls(attempts)}`
      }
    },
  },
  {
    name: 'nothing-unasked',
    claim: 'there is no transaction that nobody posted',
    *find(history) {
      const asked = new Set(history.attempts.map(nameOfPost))
      for (const row of history.posted)
        if (!asked.has(nameOfTransaction(row)))
          yield `${row.id} is ${nameOfTransaction(row)}, which nobody posted`
    },
  },
]

/** Tables whose rows belong to a transaction each. */
const PARTS = [
  ['events.event', 'transaction_id'],
  ['events.delivery', 'transaction_id'],
  ['ledger.entry', 'transaction_id'],
  ['ledger.reversal', 'transaction_id'],
  ['activity.entry', 'id'],
  ['charging.order', 'transaction_id'],
] as const
