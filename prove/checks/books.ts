/** Checks of the books: balances are sums, to the last digit, here and in the charging system's book. */
import { Decimal } from 'decimal.js'
import type { History, Transaction } from '../history/history.ts'
import { kindOf } from '../kinds.ts'
import { type Check, group, same, sum } from './check.ts'

/** Whether it was carried out, and not only taken back before. */
const isCarriedOut = ({ kind, status }: Transaction) => status === kind.done || status === 'reversed'

/** The movement of a transaction, with the sign. */
const movementOf = ({ kind, worth }: Transaction): Decimal =>
  new Decimal(worth ?? 0).times(kind.moves?.sign ?? 0)

const balanceKey = (kind: string, holder: string | null, currency: string): string =>
  `${kind} of ${holder} ${currency}`.trim()

const keyOf = (transaction: Transaction): string =>
  balanceKey(
    transaction.kind.moves!.balance,
    transaction.holder,
    transaction.kind.moves!.balance === 'points' ? '' : transaction.currency,
  )

const moving = (history: History) => history.posted.filter(({ kind }) => kind.moves)

/** Where each balance should be. */
const expectedBalances = (history: History): Map<string, Decimal> => {
  const balances = new Map(
    history.before.balances.map(({ kind, holder, currency, amount }) => [
      balanceKey(kind, holder, currency),
      new Decimal(amount),
    ]),
  )
  for (const one of moving(history))
    if (one.status === one.kind.done)
      balances.set(keyOf(one), (balances.get(keyOf(one)) ?? new Decimal(0)).plus(movementOf(one)))
  return balances
}

/** Orders in the charging system's book, by the transaction. */
const orders = (history: History) =>
  new Map(
    history.books
      .filter(({ book }) => book === 'charging')
      .map(({ entry }) => [String(entry['transactionId']), entry as unknown as Order]),
  )

interface Order {
  readonly transactionId: string
  readonly order: Readonly<Record<string, string>>
  readonly outcome: string
  readonly carriedOut: number
}

export const BOOK_CHECKS: readonly Check[] = [
  {
    name: 'balances-are-sums',
    claim: 'each balance is the opening one and the sum of what was carried out, to the last digit',
    *find(history) {
      const expected = expectedBalances(history)
      const found = new Map(
        history
          .rows('ledger.balance')
          .map(row => [balanceKey(row['kind']!, row['holder']!, row['currency']!), row['amount']!]),
      )
      for (const [key, amount] of expected)
        if (!same(amount, found.get(key) ?? 0))
          yield `${key}: ${found.get(key) ?? 'none'}, and the sum is ${amount}`
      for (const [key, amount] of found)
        if (!expected.has(key) && !same(amount, 0)) yield `${key}: ${amount}, and nothing moved it`
    },
  },
  {
    name: 'one-movement-each',
    claim: 'each transaction that was carried out has one movement, of its worth; no other moved anything',
    *find(history) {
      const entries = group(history.rows('ledger.entry'), row => row['transaction_id']!)
      for (const one of moving(history)) {
        const own = entries.get(one.id) ?? []
        if (own.length !== (isCarriedOut(one) ? 1 : 0))
          yield `${one.kind.name} ${one.id} is ${one.status} and has ${own.length} movements`
        else if (own[0] && !same(own[0]['amount']!, movementOf(one)))
          yield `${one.kind.name} ${one.id} moved ${own[0]['amount']}, and is of ${one.worth}`
      }
      const reversals = group(history.rows('ledger.reversal'), row => row['transaction_id']!)
      for (const one of moving(history)) {
        const count = reversals.get(one.id)?.length ?? 0
        if (count !== (one.status === 'reversed' ? 1 : 0))
          yield `${one.kind.name} ${one.id} is ${one.status} and was taken back ${count} times`
      }
    },
  },
  {
    name: 'points-suffice',
    claim: 'points never fall below zero, and none is declined for want of points that were there',
    *find(history) {
      if (history.run.behind !== 'ledger') return
      const events = history.rows('events.event')
      const byId = new Map(moving(history).map(one => [one.id, one]))
      const points = new Map(
        history.before.balances
          .filter(({ kind }) => kind === 'points')
          .map(({ holder, amount }) => [holder, new Decimal(amount)]),
      )
      for (const event of events.toSorted((a, b) => Number(a['position']) - Number(b['position']))) {
        const one = byId.get(event['transaction_id']!)
        if (one?.kind.moves?.balance !== 'points' || one.holder === null) continue
        const had = points.get(one.holder) ?? new Decimal(0)
        const status = event['operation_status']
        const moved =
          status === one.kind.done
            ? movementOf(one)
            : status === 'reversed'
              ? movementOf(one).negated()
              : new Decimal(0)
        points.set(one.holder, had.plus(moved))
        if (had.plus(moved).isNegative())
          yield `${one.holder} had ${had} and went below zero by ${one.kind.name} ${one.id}`
        if (status === 'declined' && one.kind.name === 'REDEMPTION' && had.plus(movementOf(one)).gte(0))
          yield `${one.holder} had ${had}, and REDEMPTION ${one.id} of ${one.worth} was declined`
      }
    },
  },
  {
    name: 'limits-are-exact',
    claim: 'a client never moves more of one owner in a month than it may, and is not refused below that',
    *find(history) {
      for (const client of history.clients.filter(({ monthlyAmount }) => monthlyAmount)) {
        const limitOf = (kind: string) =>
          new Decimal(
            (kindOf(kind).moves?.balance === 'points' ? client.monthlyPoints : client.monthlyAmount)!,
          )
        const own = moving(history).filter(one => one.client === client.id)
        // A transaction that failed, was cancelled or was taken back counts no more.
        const counting = own.filter(({ kind, status }) =>
          ['PENDING', 'COMPLETED'].includes(kind.outcome[status]!),
        )
        const used = (rows: readonly Transaction[], kind: string, holder: string | null) =>
          sum(rows.filter(one => one.kind.name === kind && one.holder === holder).map(({ worth }) => worth))
        for (const [, [{ kind, holder }]] of group(counting, one => `${one.kind.name} ${one.holder}`) as Map<
          string,
          [Transaction]
        >)
          if (used(counting, kind.name, holder).gt(limitOf(kind.name)))
            yield `${client.id} moved ${used(counting, kind.name, holder)} of ${holder} by ${kind.name}, and may move ${limitOf(kind.name)}`
        // A transaction that failed since counted at that moment: the sum of all is the most that had been used.
        for (const { exchange, post, outcome } of history.attempts)
          if (
            exchange.call.client === client.id &&
            outcome.is === 'refused' &&
            outcome.code === 'CARRIER_BILLING.USER_AMOUNT_THRESHOLD_OVERPASSED' &&
            used(own, post.kind, post.holder)
              .plus(post.worth ?? 0)
              .lte(limitOf(post.kind))
          )
            yield `${client.id} was refused ${post.worth} of ${post.holder} by ${post.kind} (call #${exchange.call.n}), and had used ${used(own, post.kind, post.holder)} of ${limitOf(post.kind)}`
      }
    },
  },
  {
    name: 'graph-tells-balances',
    claim: 'the graph says of each owner what the books say',
    *find(history) {
      const books = new Map(
        history
          .rows('ledger.balance')
          .map(row => [`${row['kind']} ${row['holder']}`, row['amount']!] as const),
      )
      for (const { call, answer } of history.of('final-balances')) {
        const { data } = (answer?.body ?? {}) as { data?: Record<string, Told> }
        if (!data) yield `call #${call.n} for balances was not answered`
        for (const [name, told] of Object.entries(data ?? {})) {
          const [what, holder] = name.split('_') as [string, string]
          const pairs: [string, number | undefined][] =
            what === 'dues'
              ? [['dues', told.value]]
              : [
                  ['prepaid', told.prepaidBalance?.value],
                  ['points', told.pointsBalance ?? undefined],
                ]
          for (const [kind, value] of pairs)
            if (value !== undefined && !same(String(value), books.get(`${kind} ${holder}`) ?? 0))
              yield `${kind} of ${holder}: the graph says ${value}, the books ${books.get(`${kind} ${holder}`)} (call #${call.n})`
        }
      }
    },
  },
  {
    name: 'both-books-agree',
    claim:
      'the charging system carried out once what we say was carried out, of the same worth, and nothing else',
    *find(history) {
      if (history.run.behind !== 'systems') return
      const book = orders(history)
      for (const one of moving(history)) {
        const order = book.get(one.id)
        const done = order?.carriedOut ?? 0
        const isReversed = order?.outcome === 'reversed'
        if (done > 1) yield `${one.kind.name} ${one.id} was carried out ${done} times by the charging system`
        const there = done === 1
        if (there !== isCarriedOut(one) || isReversed !== (one.status === 'reversed'))
          yield `${one.kind.name} ${one.id} is ${one.status} here, and ${order ? `${order.outcome}, carried out ${done} times` : 'unknown'} there`
        else if (order && !same(order.order['amount'] ?? order.order['points'] ?? 0, one.worth ?? 0))
          yield `${one.kind.name} ${one.id} is of ${one.worth} here, and of ${order.order['amount'] ?? order.order['points']} there`
        book.delete(one.id)
      }
      for (const [id, { order }] of book)
        yield `the charging system has ${order['operation']} ${id}, which is not here`
    },
  },
  {
    name: 'messages-went-out',
    claim:
      'each message that was sent is in the message centre’s book, and no message is there that nobody posted',
    *find(history) {
      if (history.run.behind !== 'systems') return
      const texts = history.books.filter(({ book }) => book === 'smpp')
      const taken = group(texts, ({ entry }) => String(entry['destination']))
      const sent = history.posted.filter(({ kind, status }) => kind.name === 'MESSAGE' && status === 'sent')
      for (const [number, own] of group(sent, one => String(one.row['mobile_number']))) {
        const there = taken.get(number)?.length ?? 0
        if (there < own.length)
          yield `${own.length} messages to ${number} were sent, and the message centre took ${there}`
      }
      const posted = new Set(
        history.attempts.filter(({ post }) => post.kind === 'MESSAGE').map(({ post }) => post.holder),
      )
      for (const number of taken.keys())
        if (!posted.has(number)) yield `the message centre took a message to ${number}, to whom nobody wrote`
    },
  },
]

interface Told {
  readonly value?: number
  readonly prepaidBalance?: { readonly value: number } | null
  readonly pointsBalance?: number | null
}
