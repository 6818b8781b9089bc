/** A small history in which everything is as it should be, to be broken in one place. */
import type { CallLine, Line, Post } from '#prove/history/lines.ts'
import { kindOf } from '#prove/kinds.ts'
import { CREATED_AT, DAY, statementOf } from './sound-statements.ts'

/** Ids with the form of real ones, by a number. */
export const idOf = (n: number): string => `01a21400-0000-7000-8000-${String(n).padStart(12, '0')}`

export interface Sample {
  readonly n: number
  readonly kind: string
  readonly client: string
  readonly correlator: string
  readonly holder: string
  readonly worth?: string
  readonly status: string
  readonly receiver?: string
  /** Its `Idempotency-Key`. */
  readonly key?: string
}

/** Of every kind one: carried out, declined, and taken back again. */
export const SAMPLES: readonly Sample[] = [
  {
    n: 1,
    kind: 'PAYMENT',
    client: 'pa',
    correlator: 'pa-0-1',
    holder: '100001',
    worth: '1.105',
    status: 'succeeded',
    receiver: 'steady',
  },
  {
    n: 2,
    kind: 'RECHARGE',
    client: 'pb',
    correlator: 'pb-0-1',
    holder: '96892000001',
    worth: '2.25',
    status: 'succeeded',
    key: 'key-pb-0-1',
  },
  {
    n: 3,
    kind: 'REWARD',
    client: 'pa',
    correlator: 'pa-0-2',
    holder: '96891000007',
    worth: '3.5',
    status: 'success',
  },
  {
    n: 4,
    kind: 'REDEMPTION',
    client: 'pb',
    correlator: 'pb-0-2',
    holder: '96891000007',
    worth: '9.99',
    status: 'declined',
  },
  {
    n: 5,
    kind: 'REWARD',
    client: 'pb',
    correlator: 'pb-0-3',
    holder: '96891000001',
    worth: '4',
    status: 'reversed',
    receiver: 'moody',
  },
  { n: 6, kind: 'MESSAGE', client: 'pa', correlator: 'pa-0-3', holder: '96891000001', status: 'sent' },
]

const postOf = ({ kind, correlator, holder, worth, receiver, key }: Sample): Post => ({
  kind,
  correlator,
  holder,
  ...(worth && { worth }),
  ...(receiver && { receiver }),
  ...(key && { key }),
})

class Writer {
  readonly lines: Line[] = []
  #calls = 0
  at = 1_000

  call(
    call: Partial<CallLine> & Pick<CallLine, 'client' | 'op' | 'path'>,
    answer: { status: number; body: unknown; headers?: Record<string, string>; digest?: string },
  ): number {
    const n = ++this.#calls
    this.at += 10
    this.lines.push(
      { t: 'call', n, at: this.at, via: 'rest', address: '', method: 'GET', ...call },
      { t: 'answer', n, at: this.at + 5, ...answer },
    )
    return n
  }

  row(table: string, row: Record<string, string | null>): void {
    this.lines.push({ t: 'row', table, row })
  }
}

const positions = new Map<Sample, { position: number; clientPosition: number }>(
  SAMPLES.map((sample, index) => {
    const before = SAMPLES.slice(0, index)
    const same = before.filter(one => one.kind === sample.kind)
    const position = same.length + 1
    return [sample, { position, clientPosition: same.filter(one => one.client === sample.client).length + 1 }]
  }),
)

const isPoints = ({ kind }: Sample) => kind === 'REWARD' || kind === 'REDEMPTION'
const isDone = ({ kind, status }: Sample) => status === kindOf(kind).done || status === 'reversed'
const url = ({ receiver }: Sample) => (receiver ? `http://127.0.0.1:1/${receiver}` : null)

const writeTransactions = (writer: Writer) => {
  for (const sample of SAMPLES) {
    const { n, kind, client, correlator, holder, worth, status } = sample
    const { position, clientPosition } = positions.get(sample)!
    writer.row(kindOf(kind).table, {
      id: idOf(n),
      position: String(position),
      client_id: client,
      client_position: String(clientPosition),
      client_correlator_id: correlator,
      reference_code: correlator,
      status,
      account_number: kind === 'PAYMENT' ? holder : '100001',
      mobile_number: kind === 'PAYMENT' ? null : holder,
      currency: isPoints(sample) || !worth ? null : 'OMR',
      amount: isPoints(sample) ? null : (worth ?? null),
      points: isPoints(sample) ? worth! : null,
      webhook_url: url(sample),
      created_at: CREATED_AT,
    })
    const outcome = kindOf(kind).outcome[status]!
    writer.row('activity.entry', {
      id: idOf(n),
      kind,
      client_id: client,
      status,
      outcome,
      amount: isPoints(sample) ? null : (worth ?? null),
      points: isPoints(sample) ? worth! : null,
    })
    for (const table of ['activity.client_day', 'activity.total_day'])
      writer.row(table, {
        client_id: client,
        kind,
        outcome,
        entries: '1',
        amount: isPoints(sample) ? '0' : (worth ?? '0'),
        points: isPoints(sample) ? worth! : '0',
      })
    const movement = `${(kindOf(kind).moves?.sign ?? 1) < 0 ? '-' : ''}${worth}`
    if (kindOf(kind).moves && isDone(sample))
      writer.row('ledger.entry', { transaction_id: idOf(n), amount: movement })
    if (status === 'reversed') writer.row('ledger.reversal', { transaction_id: idOf(n), amount: `-${worth}` })
  }
}

/** Events in the order of the log: a reversed transaction has two. */
const EVENTS = SAMPLES.flatMap(sample =>
  sample.status === 'reversed'
    ? [
        { sample, status: 'success' },
        { sample, status: 'reversed' },
      ]
    : [{ sample, status: sample.status }],
).map((event, index) => ({ ...event, position: index + 1, eventid: idOf(100 + index) }))

const writeEvents = (writer: Writer) => {
  for (const { sample, status, position, eventid } of EVENTS) {
    const isSuccess = status === kindOf(sample.kind).done
    const [type, word] = isSuccess ? ['PAYMENT_COMPLETED', 'succeeded'] : ['PAYMENT_FAILED', 'failed']
    writer.row('events.event', {
      position: String(position),
      eventid,
      kind: sample.kind,
      event_type: type!,
      transaction_id: idOf(sample.n),
      operation_status: status,
      status: word!,
      client_id: sample.client,
      client_correlator_id: sample.correlator,
    })
    writer.lines.push({
      t: 'event',
      at: writer.at,
      subscriber: 'portal-all',
      cursor: `c${position}`,
      eventid,
    })
    if (sample.client === 'pa' && sample.kind === 'PAYMENT')
      writer.lines.push({
        t: 'event',
        at: writer.at,
        subscriber: 'pa-payments',
        cursor: `c${position}`,
        eventid,
      })
    if (!sample.receiver) continue
    writer.row('events.delivery', {
      eventid,
      transaction_id: idOf(sample.n),
      status: 'DELIVERED',
      attempts: '1',
      last_error: null,
      lease: null,
    })
    writer.at += 10
    writer.lines.push({
      t: 'hook',
      at: writer.at,
      receiver: sample.receiver,
      status: 204,
      mood: 'well',
      body: {
        eventSubscriptionid: idOf(sample.n),
        event: {
          eventid,
          eventType: type,
          eventDetail: {
            [kindOf(sample.kind).idField]: idOf(sample.n),
            clientCorrelatorId: sample.correlator,
            status: word,
          },
        },
      },
    })
  }
}

const visibleTo = (client: string) => SAMPLES.filter(one => client === 'portal' || one.client === client)

const numberOf = (sample: Sample) => (sample.worth ? Number(sample.worth) : null)

const writeReads = (writer: Writer) => {
  for (const client of ['pa', 'pb', 'portal']) {
    const nodes = visibleTo(client).map(sample => ({
      kind: sample.kind,
      outcome: kindOf(sample.kind).outcome[sample.status],
      amount: isPoints(sample) || !sample.worth ? null : { value: numberOf(sample), currency: 'OMR' },
      points: isPoints(sample) ? numberOf(sample) : null,
      transaction: { id: idOf(sample.n), transactionOperationStatus: sample.status },
    }))
    writer.call(
      { client, op: 'final-timeline', path: '/graphql', via: 'graph' },
      { status: 200, body: { data: { page: { nodes } } } },
    )
    const summary = visibleTo(client).map(sample => ({
      kind: sample.kind,
      partner: { id: sample.client },
      count: 1,
      amount:
        sample.status === kindOf(sample.kind).done && !isPoints(sample)
          ? { value: numberOf(sample) ?? 0 }
          : null,
      points: sample.status === kindOf(sample.kind).done && isPoints(sample) ? numberOf(sample) : null,
    }))
    writer.call(
      { client, op: 'final-summary', path: '/graphql', via: 'graph' },
      { status: 200, body: { data: { summary } } },
    )
    const csv = visibleTo(client).map(sample =>
      [
        idOf(sample.n),
        sample.kind,
        kindOf(sample.kind).outcome[sample.status],
        sample.status,
        isPoints(sample) ? '' : (sample.worth ?? ''),
        isPoints(sample) ? sample.worth : '',
      ].join(),
    )
    const head = 'id,kind,outcome,transactionOperationStatus,amount,points'
    writer.call(
      { client, op: 'final-export', path: '/exports/timeline.csv' },
      { status: 200, body: [head, ...csv].join('\n') },
    )
  }
  for (const { kind, client } of SAMPLES.filter(({ kind }) => kindOf(kind).isListed)) {
    const own = SAMPLES.filter(one => one.kind === kind && one.client === client)
    writer.call(
      { client, op: 'list', path: kindOf(kind).path, about: { kind, seek: 0, perPage: 20 } },
      {
        status: 200,
        headers: { 'x-total-count': String(own.length) },
        body: own.map(one => ({ id: idOf(one.n), status: one.status })),
      },
    )
  }
  writer.call(
    { client: 'portal', op: 'final-balances', path: '/graphql', via: 'graph' },
    {
      status: 200,
      body: {
        data: {
          dues_100001: { value: 8.895 },
          line_96891000007: { prepaidBalance: null, pointsBalance: 3.5 },
        },
      },
    },
  )
}

/** Writes what came of the key of a post: the first answer again, a refusal of another request, and the same over the graph. */
const useKeyAgain = (writer: Writer, sample: Sample) => {
  const { client, kind } = sample
  const { idField, path, initial } = kindOf(kind)
  const body = { [idField]: idOf(sample.n), transactionOperationStatus: initial }
  const post = postOf(sample)
  writer.call(
    { client, op: 'post', path, method: 'POST', posts: [post] },
    { status: 201, body, digest: 'first', headers: { 'idempotency-replayed': 'true' } },
  )
  writer.call(
    { client, op: 'reuse', path, method: 'POST', posts: [{ ...post, correlator: `${post.correlator}-2` }] },
    { status: 422, body: { code: 'INVALID_ARGUMENT', message: 'used for another request' } },
  )
  writer.call(
    { client, op: 'replay', path: '/graphql', via: 'graph', about: { id: idOf(sample.n), kind } },
    { status: 200, body: { data: { result: body } } },
  )
}

const writeStatements = (writer: Writer) => {
  const clients = ['pa', 'pb']
  for (const [index, client] of clients.entries()) {
    const own = SAMPLES.filter(one => one.client === client).map(sample => ({
      sample,
      id: idOf(sample.n),
      number: positions.get(sample)!.clientPosition,
    }))
    const position = EVENTS.length + 1 + index
    const statement = statementOf(client, own, idOf(300 + index), position, EVENTS.length)
    writer.lines.push(...statement.lines)
    writer.call(
      { client, op: 'final-statements', path: '/partner/v1/statements' },
      { status: 200, body: statement.list },
    )
    writer.call(
      {
        client,
        op: 'final-statement',
        path: `/partner/v1/statements/${DAY}?format=csv`,
        about: { day: DAY },
      },
      { status: 200, body: statement.csv },
    )
  }
  writer.row('activity.statement_progress', { day: DAY, event_until: `${EVENTS.length}` })
}

/** Opening balances and those at the end. */
const BALANCES = [
  { kind: 'dues', holder: '100001', currency: 'OMR', before: '10', after: '8.895' },
  { kind: 'prepaid', holder: '96892000001', currency: 'OMR', before: '1', after: '3.25' },
  { kind: 'points', holder: '96891000007', currency: '', before: '0', after: '3.5' },
  { kind: 'points', holder: '96891000001', currency: '', before: '5', after: '5' },
] as const

/** Lines of the sound history. */
export function soundLines(behind: 'ledger' | 'systems' = 'ledger'): Line[] {
  const writer = new Writer()
  writer.lines.push(
    { t: 'run', at: 0, seed: 1, topology: 'embedded', behind, minutes: 1 },
    { t: 'client', id: 'pa', role: 'partner', monthlyAmount: '40', monthlyPoints: '40' },
    { t: 'client', id: 'pb', role: 'partner' },
    { t: 'client', id: 'portal', role: 'portal' },
    {
      t: 'before',
      transactions: [],
      event: 0,
      balances: BALANCES.map(({ before, after: _, ...key }) => ({ ...key, amount: before })),
    },
    {
      t: 'subscriber',
      name: 'portal-all',
      client: 'portal',
      transport: 'websocket',
      field: 'transactionEvents',
    },
    {
      t: 'subscriber',
      name: 'pa-payments',
      client: 'pa',
      transport: 'sse',
      field: 'paymentEvents',
      kind: 'PAYMENT',
    },
  )
  for (const sample of SAMPLES) {
    const { idField, path, initial } = kindOf(sample.kind)
    writer.call(
      { client: sample.client, op: 'post', path, method: 'POST', posts: [postOf(sample)] },
      {
        status: 201,
        body: { [idField]: idOf(sample.n), transactionOperationStatus: initial },
        ...(sample.key && { digest: 'first' }),
      },
    )
    if (sample.key) useKeyAgain(writer, sample)
  }
  writer.call(
    { client: 'portal', op: 'reverse', path: '/graphql', via: 'graph' },
    { status: 200, body: { data: { result: { id: idOf(5), transactionOperationStatus: 'reversed' } } } },
  )
  writeTransactions(writer)
  for (const { kind, holder, currency, after } of BALANCES)
    writer.row('ledger.balance', { kind, holder, currency, amount: after })
  writeEvents(writer)
  writeReads(writer)
  writeStatements(writer)
  if (behind === 'systems') writeBooks(writer)
  return writer.lines
}

const writeBooks = (writer: Writer) => {
  for (const sample of SAMPLES) {
    const { operation } = kindOf(sample.kind)
    if (!operation) {
      writer.lines.push({ t: 'book', book: 'smpp', entry: { destination: sample.holder } })
      continue
    }
    writer.lines.push({
      t: 'book',
      book: 'charging',
      entry: {
        transactionId: idOf(sample.n),
        order: { operation, ...(isPoints(sample) ? { points: sample.worth } : { amount: sample.worth }) },
        outcome: sample.status === 'reversed' ? 'reversed' : isDone(sample) ? 'done' : 'declined',
        carriedOut: isDone(sample) ? 1 : 0,
      },
    })
  }
}
