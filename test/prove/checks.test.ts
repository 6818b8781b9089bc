/** The checks of `prove/`: all hold for a sound history, and each finds what contradicts it. */
import { describe, expect, it } from 'vitest'
import { CHECKS, judge } from '#prove/checks/all.ts'
import { History } from '#prove/history/history.ts'
import type { AnswerLine, HookLine, Line, RowLine } from '#prove/history/lines.ts'
import { idOf, soundLines } from './sound.ts'

// biome-ignore lint/suspicious/noExplicitAny: lines are changed wherever a case wants
type Loose = any

/** Names of the checks that do not hold. */
const brokenBy = (lines: readonly Line[]): string[] =>
  judge(History.of(lines))
    .filter(({ problems }) => problems.length > 0)
    .map(({ check }) => check.name)

const rowsOf = (lines: Line[], table: string): RowLine[] =>
  lines.filter((line): line is RowLine => line.t === 'row' && line.table === table)

const without = (lines: Line[], line: Line | undefined): Line[] => {
  expect(line).toBeDefined()
  return lines.filter(one => one !== line)
}

/** Changes the values of a row. */
const change = (lines: Line[], table: string, values: Record<string, string | null>, index = 0): Line[] => {
  Object.assign(rowsOf(lines, table)[index]!.row as Loose, values)
  return lines
}

const answersTo = (lines: Line[], op: string): AnswerLine[] => {
  const numbers = new Set(lines.flatMap(line => (line.t === 'call' && line.op === op ? [line.n] : [])))
  return lines.filter((line): line is AnswerLine => line.t === 'answer' && numbers.has(line.n))
}

/** Changes an answer; the whole line. */
const answer = (lines: Line[], op: string, values: Partial<AnswerLine>, index = 0): Line[] => {
  Object.assign(answersTo(lines, op)[index]!, values)
  return lines
}

const hooks = (lines: Line[]) => lines.filter((line): line is HookLine => line.t === 'hook')

/** A refusal of the first post, a payment. */
const refused = { status: 403, body: { code: 'CARRIER_BILLING.UNAUTHORIZED_AMOUNT', message: 'too much' } }
const threshold = { code: 'CARRIER_BILLING.USER_AMOUNT_THRESHOLD_OVERPASSED', message: 'too much' }

interface Case {
  readonly check: string
  readonly what: string
  readonly behind?: 'systems'
  breakIt(lines: Line[]): Line[]
}

const CASES: readonly Case[] = [
  {
    check: 'acknowledged-exists',
    what: 'a payment that was answered with 201 is not there',
    breakIt: lines => without(lines, rowsOf(lines, 'postpaid.payment')[0]),
  },
  {
    check: 'acknowledged-exists',
    what: 'a payment is there with another amount',
    breakIt: lines => change(lines, 'postpaid.payment', { amount: '1.106' }),
  },
  {
    check: 'acknowledged-exists',
    what: 'a repeat was led to a transaction that is not there',
    breakIt: lines =>
      answer(lines, 'post', {
        status: 400,
        body: {
          code: 'INVALID_ARGUMENT',
          message: `pa-0-1 already exists on the server: it is paymentId ${idOf(77)}`,
        },
      }),
  },
  {
    check: 'one-per-correlator',
    what: 'a correlator has two payments',
    breakIt: lines => [
      ...lines,
      {
        t: 'row',
        table: 'postpaid.payment',
        row: {
          ...rowsOf(lines, 'postpaid.payment')[0]!.row,
          id: idOf(50),
          position: '2',
          client_position: '2',
        },
      },
    ],
  },
  {
    check: 'unknown-whole-or-absent',
    what: 'an event is there without its transaction',
    breakIt: lines => {
      const kept = without(lines, rowsOf(lines, 'postpaid.payment')[0])
      return answer(kept, 'post', { status: 0 })
    },
  },
  {
    check: 'refused-writes-nothing',
    what: 'a payment was refused, and is there',
    breakIt: lines => answer(lines, 'post', refused),
  },
  {
    check: 'refused-writes-nothing',
    what: 'a payment was answered with 504, and is there',
    breakIt: lines =>
      answer(lines, 'post', { status: 504, body: { code: 'REQUEST_TIMEOUT_EXCEEDED', message: '' } }),
  },
  {
    check: 'nothing-unasked',
    what: 'a payment is there that nobody posted',
    breakIt: lines => change(lines, 'postpaid.payment', { client_correlator_id: 'pa-9-9' }),
  },
  {
    check: 'balances-are-sums',
    what: 'a balance is off by its last digit',
    breakIt: lines => change(lines, 'ledger.balance', { amount: '8.896' }),
  },
  {
    check: 'one-movement-each',
    what: 'a payment that was carried out moved nothing',
    breakIt: lines => without(lines, rowsOf(lines, 'ledger.entry')[0]),
  },
  {
    check: 'one-movement-each',
    what: 'what was reversed was not taken back',
    breakIt: lines => without(lines, rowsOf(lines, 'ledger.reversal')[0]),
  },
  {
    check: 'points-suffice',
    what: 'a redemption was declined although the points were there',
    breakIt: lines => {
      Object.assign(lines.find(line => line.t === 'before')!.balances[2] as Loose, { amount: '50' })
      return change(lines, 'ledger.balance', { amount: '53.5' }, 2)
    },
  },
  {
    check: 'points-suffice',
    what: 'a redemption went below zero',
    breakIt: lines => {
      change(lines, 'redemption.redemption', { status: 'success' })
      return change(lines, 'events.event', { operation_status: 'success' }, 3)
    },
  },
  {
    check: 'limits-are-exact',
    what: 'a client moved more than it may',
    breakIt: lines => {
      Object.assign(lines.find(line => line.t === 'client')! as Loose, { monthlyAmount: '1.1' })
      return lines
    },
  },
  {
    check: 'limits-are-exact',
    what: 'a client was refused below its limit',
    breakIt: lines =>
      answer(without(lines, rowsOf(lines, 'postpaid.payment')[0]), 'post', { status: 403, body: threshold }),
  },
  {
    check: 'graph-tells-balances',
    what: 'the graph says other points than the books',
    breakIt: lines =>
      answer(lines, 'final-balances', {
        body: { data: { line_96891000007: { prepaidBalance: null, pointsBalance: 3.4 } } },
      }),
  },
  {
    check: 'both-books-agree',
    what: 'the charging system carried an order out twice',
    behind: 'systems',
    breakIt: lines => {
      Object.assign(lines.find(line => line.t === 'book')!.entry as Loose, { carriedOut: 2 })
      return lines
    },
  },
  {
    check: 'both-books-agree',
    what: 'the charging system declined what is done here',
    behind: 'systems',
    breakIt: lines => {
      Object.assign(lines.find(line => line.t === 'book')!.entry as Loose, {
        carriedOut: 0,
        outcome: 'declined',
      })
      return lines
    },
  },
  {
    check: 'messages-went-out',
    what: 'a message that was sent is not in the message centre’s book',
    behind: 'systems',
    breakIt: lines => lines.filter(line => !(line.t === 'book' && line.book === 'smpp')),
  },
  {
    check: 'one-event-each',
    what: 'an event was lost',
    breakIt: lines => without(lines, rowsOf(lines, 'events.event')[1]),
  },
  {
    check: 'event-tells-the-truth',
    what: 'an event says that a declined redemption succeeded',
    breakIt: lines => change(lines, 'events.event', { status: 'succeeded' }, 3),
  },
  {
    check: 'log-without-holes',
    what: 'the log has a hole',
    breakIt: lines => change(lines, 'events.event', { position: '99' }, 6),
  },
  {
    check: 'subscribers-see-each-once',
    what: 'a subscriber missed an event',
    breakIt: lines =>
      without(
        lines,
        lines.find(line => line.t === 'event'),
      ),
  },
  {
    check: 'subscribers-see-each-once',
    what: 'a subscriber saw an event twice',
    breakIt: lines => [...lines, lines.find(line => line.t === 'event')!],
  },
  {
    check: 'interventions-hold',
    what: 'a portal was told of a reversal that is not there',
    breakIt: lines =>
      answer(lines, 'reverse', {
        body: { data: { result: { id: idOf(3), transactionOperationStatus: 'reversed' } } },
      }),
  },
  {
    check: 'webhooks-arrive',
    what: 'a receiver never took an event',
    breakIt: lines => {
      Object.assign(hooks(lines)[0]!, { status: 500 })
      return lines
    },
  },
  {
    check: 'webhooks-tell-the-truth',
    what: 'a receiver was told another status than the log has',
    breakIt: lines => {
      const { event } = hooks(lines)[0]!.body as { event: { eventDetail: Loose } }
      event.eventDetail.status = 'failed'
      return lines
    },
  },
  {
    check: 'webhooks-in-order',
    what: 'the reversal came before the success was taken',
    breakIt: lines => {
      Object.assign(hooks(lines)[2]!, { at: hooks(lines)[1]!.at - 5 })
      return lines
    },
  },
  {
    check: 'deliveries-match',
    what: 'a delivery is not DELIVERED',
    breakIt: lines => change(lines, 'events.delivery', { status: 'PENDING' }),
  },
  {
    check: 'statuses-along-the-table',
    what: 'a denied payment was seen to have succeeded before',
    breakIt: lines => {
      answer(lines, 'post', { body: { paymentId: idOf(1), transactionOperationStatus: 'denied' } })
      return lines
    },
  },
  {
    check: 'all-settled',
    what: 'a message is still pending',
    breakIt: lines => change(lines, 'messaging.message', { status: 'accepted' }),
  },
  {
    check: 'lists-by-index-miss-nothing',
    what: 'a page has another row at an index',
    breakIt: lines => answer(lines, 'list', { body: [{ id: idOf(9), status: 'succeeded' }] }),
  },
  {
    check: 'lists-by-index-miss-nothing',
    what: 'who follows a list misses its last row',
    breakIt: lines => answer(lines, 'list', { body: [], headers: { 'x-total-count': '0' } }),
  },
  {
    check: 'timeline-equals-tables',
    what: 'the timeline lacks an entry',
    breakIt: lines => without(lines, rowsOf(lines, 'activity.entry')[2]),
  },
  {
    check: 'summary-equals-tables',
    what: 'a sum has another last digit',
    breakIt: lines => change(lines, 'activity.client_day', { amount: '1.104' }),
  },
  {
    check: 'export-equals-tables',
    what: 'an export ends early',
    breakIt: lines => {
      const [first] = answersTo(lines, 'final-export')
      return answer(lines, 'final-export', { body: String(first!.body).split('\n').slice(0, -1).join('\n') })
    },
  },
  {
    check: 'keys-replay-the-first',
    what: 'a key was answered with other bytes than at first',
    breakIt: lines => answer(lines, 'post', { digest: 'second' }, 2),
  },
  {
    check: 'keys-replay-the-first',
    what: 'a request under its key was refused as a repetition',
    breakIt: lines =>
      answer(lines, 'post', { status: 400, body: { code: 'INVALID_ARGUMENT', message: '' } }, 2),
  },
  {
    check: 'keys-replay-the-first',
    what: 'another request under a used key was taken',
    breakIt: lines => answer(lines, 'reuse', { status: 201 }),
  },
  {
    check: 'keys-replay-the-first',
    what: 'the graph gave another transaction for the key',
    breakIt: lines =>
      answer(lines, 'replay', {
        body: { data: { result: { rechargeId: idOf(8), transactionOperationStatus: 'processing' } } },
      }),
  },
  {
    check: 'statements-equal-tables',
    what: 'a statement is missing',
    breakIt: lines => without(lines, rowsOf(lines, 'activity.statement')[0]),
  },
  {
    check: 'statements-equal-tables',
    what: 'a statement counts one too few',
    breakIt: lines => change(lines, 'activity.statement', { entries: '2' }),
  },
  {
    check: 'statements-equal-tables',
    what: 'a sum of a statement has another last digit',
    breakIt: lines => {
      const { row } = rowsOf(lines, 'activity.statement')[0]!
      return change(lines, 'activity.statement', { sums: row['sums']!.replace('1.105', '1.106') })
    },
  },
  {
    check: 'statements-equal-tables',
    what: 'the numbers of a statement begin elsewhere',
    breakIt: lines => {
      const { row } = rowsOf(lines, 'activity.statement')[0]!
      return change(lines, 'activity.statement', {
        numbers: row['numbers']!.replace('"first":"1"', '"first":"2"'),
      })
    },
  },
  {
    check: 'statements-equal-tables',
    what: 'a change after the statement is corrected nowhere',
    breakIt: lines => {
      change(lines, 'activity.statement', { event_until: '4' }, 0)
      return change(lines, 'activity.statement', { event_until: '4' }, 1)
    },
  },
  {
    check: 'statements-equal-tables',
    what: 'a statement has no event',
    breakIt: lines =>
      without(
        lines,
        rowsOf(lines, 'events.event').find(({ row }) => row['kind'] === 'STATEMENT'),
      ),
  },
  {
    check: 'statements-equal-tables',
    what: 'a partner is told another digest',
    breakIt: lines => {
      const { statements } = answersTo(lines, 'final-statements')[0]!.body as Loose
      statements[0].sha256 = 'other'
      return lines
    },
  },
  {
    check: 'statements-equal-tables',
    what: 'the rows of a statement lack one',
    breakIt: lines => {
      const [first] = answersTo(lines, 'final-statement')
      return answer(lines, 'final-statement', {
        body: String(first!.body).split('\n').slice(0, -2).join('\n'),
      })
    },
  },
  {
    check: 'nobody-sees-another’s',
    what: 'a partner is answered with another’s id',
    breakIt: lines => answer(lines, 'list', { body: [{ id: idOf(2), status: 'succeeded' }] }),
  },
  {
    check: 'nobody-sees-another’s',
    what: 'a partner’s subscriber is sent another’s event',
    breakIt: lines => [
      ...lines,
      { t: 'event', at: 0, subscriber: 'pa-payments', cursor: 'c2', eventid: idOf(101) },
    ],
  },
  {
    check: 'answers-are-foreseen',
    what: 'a post is answered with 500',
    breakIt: lines =>
      answer(lines, 'post', { status: 500, body: { code: 'SERVER_ERROR', message: 'broken' } }),
  },
  {
    check: 'processes-stay',
    what: 'a server ended by itself',
    breakIt: lines => [...lines, { t: 'notice', at: 0, what: 'ended-by-itself', text: 'server-1 (1)' }],
  },
  {
    check: 'processes-stay',
    what: 'a server found no database although nothing had hit it',
    breakIt: lines => [
      ...lines,
      { t: 'notice', at: 5_000, what: 'refused-start', text: 'server-1: no answer' },
    ],
  },
  {
    check: 'all-comes-back',
    what: 'something was never settled',
    breakIt: lines => [...lines, { t: 'notice', at: 0, what: 'not-settled', text: '{"pending":1}' }],
  },
  {
    check: 'the-run-was-real',
    what: 'nothing was heard',
    breakIt: lines => lines.filter(line => line.t !== 'event'),
  },
]

describe('outcomes', () => {
  it('PROVE-CHECK-04 MUST take an answer that is replayed for the first one, not for another transaction', () => {
    const lines = soundLines()
    const post = lines.find(line => line.t === 'call')!
    const first = answersTo(lines, 'post')[0]!
    const again: Line[] = [
      { ...post, n: 900, at: 9_000 },
      { ...first, n: 900, at: 9_001, headers: { 'idempotency-replayed': 'true' } },
    ]
    expect(brokenBy([...lines, ...again])).toEqual([])
    expect(brokenBy([...lines, again[0]!, { ...first, n: 900, at: 9_001 }])).toContain('one-per-correlator')
  })
})

describe('checks', () => {
  it('PROVE-CHECK-06 MUST let a server start again whose database was hit by a fault', () => {
    const fault = { t: 'fault', n: 1, name: 'kill PostgreSQL', target: 'all of it', ms: 500 } as const
    const refused = { t: 'notice', at: 5_000, what: 'refused-start', text: 'server-1: no answer' } as const
    const at = (begin: number, end: number): Line[] => [
      { ...fault, at: begin, phase: 'begin' },
      { ...fault, at: end, phase: 'end' },
    ]
    expect(brokenBy([...soundLines(), ...at(4_000, 4_500), refused])).toEqual([])
    expect(brokenBy([...soundLines(), ...at(50_000, 60_000), refused])).toEqual(['processes-stay'])
  })

  it.each(['ledger', 'systems'] as const)('PROVE-CHECK-01 MUST hold for a sound history: %s', behind => {
    expect(judge(History.of(soundLines(behind))).flatMap(({ problems }) => problems)).toEqual([])
  })

  it('PROVE-CHECK-05 MUST leave events alone that are of no transaction, and count them in the log', () => {
    const row = {
      position: '10',
      eventid: idOf(200),
      kind: 'ENDPOINT',
      transaction_id: idOf(201),
      client_id: 'pa',
    }
    const lines: Line[] = [...soundLines(), { t: 'row', table: 'events.event', row }]
    expect(brokenBy(lines)).toEqual([])
    Object.assign(row, { position: '11' })
    expect(brokenBy(lines)).toEqual(['log-without-holes'])
  })

  it.each(CASES)('PROVE-CHECK-02 MUST find it: $check, $what', ({ check, behind, breakIt }) => {
    expect(brokenBy(breakIt(soundLines(behind)))).toContain(check)
  })

  it('PROVE-CHECK-03 MUST each have a history that it finds wrong', () => {
    expect([...new Set(CASES.map(({ check }) => check))].toSorted()).toEqual(
      CHECKS.map(({ name }) => name).toSorted(),
    )
  })
})
