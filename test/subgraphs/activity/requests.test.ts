/** `requests` and `requestSummary`: what clients asked, page by page, and what they were refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS, dayOf, makePartitions } from '#core/data/day-partitions.ts'
import { REQUEST_TABLE } from '#core/requests/table.ts'
import { newId } from '#core/values/id.ts'
import { graphOf, restOf } from '../../support/both-interfaces.ts'
import { FIXTURES } from '../../support/fixtures/all.ts'
import { type Stack, startStack } from '../../support/stack.ts'

let stack: Stack
const tokens: Record<string, string> = {}

interface Row {
  readonly at: string
  readonly client?: string
  readonly via?: string
  readonly operation?: string
  readonly status?: number
  readonly code?: string
  readonly reason?: string
  readonly field?: string
  readonly transaction?: string
  readonly correlator?: string
  readonly weight?: number
}

/** Yesterday, all hours of which are over: sums end now unless told otherwise. */
const YESTERDAY = Date.now() - DAY_MS
const DAY = new Date(YESTERDAY).toISOString().slice(0, 10)
const at = (time: string) => `${DAY}T${time}Z`

const refused = (time: string, client: string, field: string, weight = 1): Row => ({
  at: at(time),
  client,
  status: 400,
  code: 'INVALID_ARGUMENT',
  reason: 'REQUIRED',
  field,
  weight,
})

const insert = (row: Row) => stack.app.db.$executeRaw`
  INSERT INTO activity.request (id, at, client_id, via, operation, status, code, reason, field, duration_ms,
    transaction_id, correlator, weight)
  VALUES (${newId(new Date(row.at))}::uuid, ${row.at}::timestamptz, ${row.client ?? null}, ${row.via ?? 'REST'},
    ${row.operation ?? 'createPayment'}, ${row.status ?? 201}, ${row.code ?? null}, ${row.reason ?? null},
    ${row.field ?? null}, 12.5, ${row.transaction ?? null}::uuid, ${row.correlator ?? 'c'}, ${row.weight ?? 1})`

/** The seventh of the requests of `demo-partner-2` is the newest. */
const PAGED = Array.from({ length: 7 }, (_, index) => ({
  at: at(`00:00:0${index}.00${index}`),
  client: 'demo-partner-2',
  operation: `op${index}`,
}))

beforeAll(async () => {
  // Rows of the test alone: its own requests are not recorded.
  stack = await startStack({ env: { REQUEST_LOG_DAYS: '0' } })
  await makePartitions(stack.app.db, REQUEST_TABLE, [dayOf(YESTERDAY)])
  for (const name of ['partner', 'partner-2', 'portal', 'analyst'])
    tokens[name] = await stack.token(`demo-${name}`)
  const rows = [
    ...PAGED,
    refused('00:10:00.000', 'demo-partner', 'amount'),
    refused('00:20:00.000', 'demo-partner', 'amount', 4),
    refused('01:30:00.000', 'demo-partner', 'currency'),
    refused('01:40:00.000', 'demo-partner-2', 'amount'),
    { at: at('01:50:00.000'), status: 401, code: 'UNAUTHORIZED', reason: 'TOKEN_NOT_ACCEPTED' },
  ]
  for (const row of rows) await insert(row)
})
afterAll(() => stack[Symbol.asyncDispose]())

const ask = (as: string, query: string, variables?: object) =>
  graphOf(stack)(query, { token: tokens[as], variables })

const SELECTED = `query ($filter: RequestFilter, $first: Int, $after: String, $last: Int, $before: String) {
  requests(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
    totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    nodes { at client { id } via operation status code reason field durationMs correlator weight }
  }
}`

const page = async (as: string, variables: object) => (await ask(as, SELECTED, variables)).data.requests

const operations = async (as: string, variables: object) =>
  (await page(as, variables)).nodes.map((one: { operation: string }) => one.operation)

const SUMS = `query ($by: RequestPeriod, $groupBy: [RequestGroup!], $from: DateTime, $to: DateTime, $client: String, $first: Int) {
  requestSummary(by: $by, groupBy: $groupBy, from: $from, to: $to, client: $client, first: $first) {
    period client { id } via operation status code reason field count
  }
}`

const sums = async (as: string, variables: object) => {
  const { data, errors } = await ask(as, SUMS, variables)
  if (errors[0]) throw errors[0]
  return data.requestSummary
}

describe('requests', () => {
  it('REQ-GRAPH-01 MUST show a row as it is', async () => {
    const { nodes } = await page('partner', { filter: { reason: 'REQUIRED' }, first: 2 })
    expect(nodes[1]).toEqual({
      at: at('00:20:00.000'),
      client: { id: 'demo-partner' },
      via: 'REST',
      operation: 'createPayment',
      status: 400,
      code: 'INVALID_ARGUMENT',
      reason: 'REQUIRED',
      field: 'amount',
      durationMs: 12.5,
      correlator: 'c',
      weight: 4,
    })
  })

  it('REQ-GRAPH-02 MUST page through all in both directions, the newest first', async () => {
    const filter = { client: 'demo-partner-2', status: 201 }
    const first = await page('portal', { filter, first: 4 })
    expect(first).toMatchObject({ totalCount: 7, pageInfo: { hasNextPage: true, hasPreviousPage: false } })
    const after = first.pageInfo.endCursor
    expect(await operations('portal', { filter, first: 4 })).toEqual(['op6', 'op5', 'op4', 'op3'])
    expect(await operations('portal', { filter, first: 4, after })).toEqual(['op2', 'op1', 'op0'])
    const before = (await page('portal', { filter, first: 4, after })).pageInfo.startCursor
    expect(await operations('portal', { filter, last: 2, before })).toEqual(['op4', 'op3'])
  })

  it('REQ-GRAPH-03 MUST narrow by each field, and by time with both ends', async () => {
    const filters = [
      { client: 'demo-partner' },
      { code: 'UNAUTHORIZED' },
      { reason: 'REQUIRED' },
      { status: 401 },
      { refused: true },
      { refused: false },
      { refused: null },
      { refused: true, client: 'demo-partner', via: 'REST' },
      { operation: 'op3' },
      { correlator: 'none' },
      { via: 'GRAPH' },
      { from: at('00:00:01.001'), to: at('00:00:03.003') },
      { from: DAY, to: DAY },
    ]
    const counts = await Promise.all(
      filters.map(async filter => (await page('portal', { filter })).totalCount),
    )
    expect(counts).toEqual([3, 1, 4, 1, 5, 7, 12, 3, 1, 0, 0, 3, 12])
  })

  it('REQ-GRAPH-04 MUST show a partner its own alone, portals and analysts all', async () => {
    const counts = await Promise.all(
      ['partner', 'partner-2', 'portal', 'analyst'].map(async as => (await page(as, {})).totalCount),
    )
    expect(counts).toEqual([3, 8, 12, 12])
    expect((await page('partner', { filter: { client: 'demo-partner-2' } })).totalCount).toBe(0)
  })

  it('REQ-GRAPH-05 MUST refuse a bound token, and values that can be none', async () => {
    const bound = { id: 'bound', role: 'portal', phoneNumber: '96891000002' } as const
    tokens['bound'] = await stack.token(bound)
    expect((await ask('bound', SELECTED)).errors).toMatchObject([
      { extensions: { code: 'PERMISSION_DENIED' } },
    ])
    const faults = await Promise.all(
      [{ filter: { status: 99 } }, { after: 'x' }, { first: 201 }].map(async one => {
        const { errors } = await ask('portal', SELECTED, one)
        return errors[0]!.extensions.field
      }),
    )
    expect(faults).toEqual(['filter.status', 'after', 'first'])
  })

  it('REQ-GRAPH-06 MUST lead to the transactions of every kind that the caller may see', async () => {
    const ids: string[] = []
    for (const { path, body } of FIXTURES) {
      const posted = await restOf(stack)('POST', path, { token: tokens['partner'], body: body() })
      const [id] = Object.values(posted.body as Record<string, string>).filter(value =>
        /^0\w{7}-/.test(value),
      )
      ids.push(id!)
      await insert({ at: at('05:00:00.000'), client: 'demo-partner', correlator: 'kinds', transaction: id })
    }
    const query = '{ requests(filter: { correlator: "kinds" }) { nodes { transaction { id } } } }'
    const { data } = await ask('portal', query)
    const found = data.requests.nodes.map((one: { transaction: { id: string } }) => one.transaction.id)
    expect(found.toSorted()).toEqual(ids.toSorted())
    expect((await ask('partner-2', query)).data.requests.nodes).toEqual([])
  })
})

describe('sums of refusals', () => {
  it('REQ-GRAPH-10 MUST add up weights by client, reason and field, the most frequent first', async () => {
    const rows = await sums('portal', { by: 'ALL', groupBy: ['CLIENT', 'REASON', 'FIELD'], from: DAY })
    const brief = rows.map((row: { client?: { id: string }; reason: string; field: string; count: number }) =>
      [row.client?.id ?? null, row.reason, row.field, row.count].join(' '),
    )
    expect(brief).toEqual([
      'demo-partner REQUIRED amount 5',
      'demo-partner REQUIRED currency 1',
      'demo-partner-2 REQUIRED amount 1',
      ' TOKEN_NOT_ACCEPTED  1',
    ])
    expect(rows[0]).toMatchObject({ via: null, operation: null, status: null, code: null })
  })

  it('REQ-GRAPH-11 MUST part time by the hour and by the day of the operator', async () => {
    const hours = await sums('portal', { by: 'HOUR', from: DAY })
    expect(hours.map((row: { period: string; count: number }) => [row.period, row.count])).toEqual([
      [at('00:00:00.000'), 5],
      [at('01:00:00.000'), 3],
    ])
    // The operator's midnight lies at 20:00 UTC of the day before.
    const [day] = await sums('portal', { by: 'DAY', from: at('00:00:00.000'), to: at('02:00:00.000') })
    expect(day.period).toBe(new Date(Date.parse(`${DAY}T00:00:00+04:00`)).toISOString())
  })

  it('REQ-GRAPH-12 MUST add up a partner its own alone, and refuse more rows than there may be', async () => {
    const total = async (as: string, more = {}) =>
      (await sums(as, { by: 'ALL', from: DAY, ...more })).map((row: { count: number }) => row.count)
    expect(await total('partner')).toEqual([6])
    expect(await total('partner-2')).toEqual([1])
    expect(await total('portal', { client: 'demo-partner' })).toEqual([6])
    expect(await total('portal', { groupBy: ['FIELD'], first: 1 })).toEqual([6])
    const { errors } = await ask('portal', '{ requestSummary(by: ALL, first: 10001) { count } }')
    expect(errors[0]!.extensions.reason).toBe('TOO_GREAT')
  })
})
