/** Summaries as files, and summaries that would go through too many transactions. */
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGraph } from '#test/support/graph.ts'
import { type Stack, startStack } from '#test/support/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
  await stack.settled()
})
afterAll(() => stack[Symbol.asyncDispose]())

const get = async (path: string, client = 'demo-analyst') => {
  const headers = { authorization: `Bearer ${await stack.token(client)}` }
  return fetch(`${stack.address}/exports/summary.${path}`, { headers })
}

const graph = async (query: string) => {
  const token = await stack.token('demo-analyst')
  return createGraph(stack.address)(query, { token })
}

it('ACT-64 a summary as a file MUST be that of the graph, with its arguments as parameters', async () => {
  const response = await get(
    'csv?by=QUARTER&groupBy=KIND,CUSTOMER&groupBy=CURRENCY&kinds=PAYMENT&from=2026-01-01&orderBy=AMOUNT&direction=ASC&firstPerPeriod=3&measures=p95,customers',
  )
  expect([response.status, response.headers.get('content-disposition')]).toEqual([
    200,
    'attachment; filename="summary.csv"',
  ])
  const rows = parse(await response.text(), { columns: true }) as Record<string, string>[]
  const { data } =
    await graph(`{ summary(by: QUARTER, groupBy: [KIND, CUSTOMER, CURRENCY], kinds: [PAYMENT], from: "2026-01-01",
    orderBy: { field: AMOUNT, direction: ASC }, firstPerPeriod: 3) { period kind customer { customerAccountNumber } count completed
    failed failureRate amount { value currency } points average { value } p95 { value } customers } }`)
  expect(rows.length).toBeGreaterThan(2)
  expect(rows).toEqual(
    // biome-ignore lint/suspicious/noExplicitAny: rows of a graph
    data.summary.map((row: any) => ({
      period: row.period,
      kind: row.kind,
      customerAccountNumber: row.customer.customerAccountNumber,
      count: String(row.count),
      completed: String(row.completed),
      failed: String(row.failed),
      failureRate: String(row.failureRate),
      amount: String(row.amount.value),
      currency: row.amount.currency,
      points: '',
      average: String(row.average?.value ?? ''),
      p95: String(row.p95?.value ?? ''),
      customers: '1',
    })),
  )
  const lines = await (await get('ndjson?by=ALL')).text()
  expect(JSON.parse(lines)).toMatchObject({
    count: (await graph('{ summary(by: ALL) { count } }')).data.summary[0].count,
  })
  expect(await stack.app.db.act.count({ where: { action: 'SUMMARY_EXPORTED' } })).toBe(2)
})

it('ACT-65 a partner MUST get the sums of its own alone', async () => {
  expect(await (await get('csv?by=ALL', 'demo-partner-2')).text()).toBe(
    'period,count,completed,failed,failureRate,amount,currency,points,average\r\n',
  )
})

it.each([
  ['by=DECADE', 'by', 400],
  ['first=x', 'first', 400],
  ['first=10001', 'first', 400],
  ['measures=mean', 'measures', 400],
  ['direction=ASC', 'direction', 400],
  ['groupby=KIND', 'groupby', 400],
  ['customers=', 'customers', 200],
])('ACT-66 a wrong parameter MUST be named: %s', async (parameters, field, status) => {
  const response = await get(`csv?${parameters}`)
  expect(response.status).toBe(status)
  if (status === 400) expect(await response.json()).toMatchObject({ code: 'INVALID_ARGUMENT', field })
})

it('ACT-67 MUST refuse what would go through too many transactions, before it reads any, and answer by sums', async () => {
  const day = new Date('2020-01-01')
  const sum = {
    day,
    clientId: 'huge',
    kind: 'PAYMENT',
    outcome: 'COMPLETED',
    currency: 'OMR',
    amount: 1,
    points: 0,
  }
  await stack.app.db.totalDay.create({ data: { ...sum, entries: 1_000_001n } })
  const span = 'from: "2020-01-01", to: "2020-01-01", by: ALL'
  const { data } = await graph(`{ summary(${span}) { count average { value } } }`)
  expect(data.summary).toEqual([{ count: 1_000_001, average: { value: 0 } }])
  for (const asked of [
    `{ summary(${span}, groupBy: [CUSTOMER]) { count } }`,
    `{ summary(${span}) { customers } }`,
    `{ summary(from: "2020-01-01", to: "2020-01-01", by: HOUR_OF_DAY) { count } }`,
  ]) {
    const { errors } = await graph(asked)
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID_ARGUMENT', reason: 'TOO_MANY' } }])
    expect(errors[0]!.message).toMatch(/^The summary would go through 1,000,001 transactions/)
  }
  const narrowed = await graph(`{ summary(${span}, postedBy: "demo-kiosks", groupBy: [CUSTOMER]) { count } }`)
  expect(narrowed.data.summary).toEqual([])
})

it.each([
  ['CATEGORY', 700_000],
  ['CUSTOMER', 300_000],
] as const)('ACT-69 MUST refuse %s in several periods from a limit of its own on', async (group, most) => {
  const day = group === 'CATEGORY' ? '2018-01-01' : '2019-01-01'
  const sum = {
    day: new Date(day),
    clientId: 'large',
    kind: 'PAYMENT',
    outcome: 'COMPLETED',
    currency: 'OMR',
  }
  const ask = (by: string) =>
    graph(`{ summary(from: "${day}", to: "${day}", by: ${by}, groupBy: [${group}]) { count } }`)
  const counted = stack.app.db.totalDay
  await counted.create({ data: { ...sum, entries: BigInt(most), amount: 1, points: 0 } })
  expect((await ask('MONTH')).errors).toEqual([])
  await counted.updateMany({
    where: { clientId: 'large', day: sum.day },
    data: { entries: BigInt(most + 1) },
  })
  expect((await ask('MONTH')).errors).toMatchObject([{ extensions: { reason: 'TOO_MANY' } }])
  expect((await ask('ALL')).errors).toEqual([])
})

it('ACT-68 MUST refuse what would add up too many sums, by an estimate', async () => {
  const asked = (by: string, more = '') =>
    graph(
      `{ summary(from: "2021-01-01", to: "2021-01-01", by: ${by}, groupBy: [MERCHANT]${more}) { count } }`,
    )
  const day = {
    day: new Date('2021-01-01'),
    clientId: 'vast',
    kind: 'PAYMENT',
    outcome: 'COMPLETED',
    currency: 'OMR',
  }
  // Nearly all transactions are of this day.
  await stack.app.db.totalDay.create({ data: { ...day, entries: 1_000_000_000n, amount: 1, points: 0 } })
  const sums = (count: number) =>
    stack.app.db
      .$executeRaw`UPDATE pg_class SET reltuples = ${count} WHERE oid = 'activity.client_day'::regclass`
  const refusal = { code: 'INVALID_ARGUMENT', reason: 'TOO_MANY' }
  try {
    await sums(1_900_000)
    expect((await asked('ALL')).errors).toEqual([])
    const { errors } = await asked('MONTH')
    expect(errors).toMatchObject([{ extensions: refusal }])
    expect(errors[0]!.message).toMatch(/would add up about 1,900,000 sums .* more than 1,500,000/)
    await sums(600_000)
    expect((await asked('MONTH')).errors).toEqual([])
    expect((await asked('DAY')).errors).toMatchObject([{ extensions: refusal }])
    expect((await asked('DAY', ', merchant: "Shop"')).errors).toEqual([])
    await sums(9_000_000)
    expect((await asked('ALL')).errors).toMatchObject([{ extensions: refusal }])
    const before = await graph('{ summary(to: "2020-12-31", by: ALL, groupBy: [MERCHANT]) { count } }')
    expect(before.errors).toEqual([])
  } finally {
    await stack.app.db.$executeRaw`ANALYZE activity.client_day`
  }
})
