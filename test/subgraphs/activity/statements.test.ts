/** Daily statements: complete, equal to the summary, provable, corrected later, and made once whatever happens. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeStatements } from '#subgraphs/activity/statements/make.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { pay, payment } from '#test/core/webhooks/support.ts'
import { FIXTURES } from '#test/support/fixtures/all.ts'
import { unique } from '#test/support/fixtures/fixture.ts'
import { createGraph } from '#test/support/graph.ts'
import { createRest } from '#test/support/rest.ts'
import { type Stack, startStack } from '#test/support/stack.ts'

let stack: Stack
let kinds: Awaited<ReturnType<typeof loadKinds>>
beforeAll(async () => {
  kinds = await loadKinds()
  stack = await startStack()
  await stack.settled()
})
afterAll(() => stack[Symbol.asyncDispose]())

const rest = (method: string, path: string, token: string, headers = {}) =>
  createRest(stack.address)(method, `/partner/v1/${path}`, { token, headers })

const dayOf = (date: Date) => new Date(date.getTime() + 4 * 3_600_000).toISOString().slice(0, 10)

const TABLES = FIXTURES.map(({ table }) => table)

/** Moves all that a client has posted by days into the past, in UTC: Citus moves no time in a zone of its own. */
const moveBack = async (clientId: string, days: number) => {
  const { db } = stack.app
  const span = `${days} days`
  for (const table of TABLES)
    await db.$executeRawUnsafe(
      `UPDATE ${table} SET created_at = (created_at AT TIME ZONE 'UTC' - $2::interval) AT TIME ZONE 'UTC' WHERE client_id = $1`,
      clientId,
      span,
    )
}

/** Lets the statements of the days since this one be made again, as after an outage. */
const setProgress = async (day: string) => {
  const { db } = stack.app
  await db.$executeRaw`DELETE FROM activity.statement WHERE day > ${day}::date`
  await db.$executeRaw`
    UPDATE activity.statement_progress SET day = ${day}::date,
      event_until = (SELECT coalesce(max(position), 0) FROM events.event)`
}

const daysAgo = (days: number) => dayOf(new Date(Date.now() - days * 86_400_000))

const partner = async () => {
  const id = `statement-${unique()}`
  const token = await stack.token({ id, name: id, role: 'partner', currencies: ['OMR', 'USD'] })
  return { id, token }
}

/** Posts one of each kind, and payments that fail or are in another currency. */
const postAll = async (token: string) => {
  for (const { path, body } of FIXTURES)
    await createRest(stack.address)('POST', path, { token, body: body() })
  await pay(stack, token, payment('300001', undefined, 2.5))
  const dollars = payment('100001', undefined, 1.25)
  dollars.paymentTransaction.paymentInfo.paymentInformation.currency = 'USD'
  await pay(stack, token, dollars)
  await pay(stack, token, payment('100001', undefined, 0.001))
  await stack.settled()
}

const make = () => makeStatements(stack.app, kinds)

const countsOf = (statement: { currencies: { currency: string | null; sums: object[] }[] }) =>
  statement.currencies.flatMap(({ currency, sums }) => sums.map(sum => ({ currency, ...sum })))

describe('a statement', () => {
  it('STATE-01 has every number of the day, and is equal to the summary to the last digit', async () => {
    const { id, token } = await partner()
    await postAll(token)
    await setProgress(daysAgo(2))
    await moveBack(id, 1)
    await make()
    const day = daysAgo(1)
    const { status, body } = await rest('GET', `statements/${day}`, token)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      date: day,
      partner: id,
      entries: FIXTURES.length + 3,
      reversals: [],
      lateResults: [],
    })
    expect(body.numbers).toContainEqual({ kind: 'PAYMENT', first: 1, last: 4, count: 4 })
    // The summary counts by the time of the entries, which stayed where they were.
    const today = daysAgo(0)
    const { data } = await createGraph(stack.address)(
      `{ summary(from: "${today}", to: "${today}", by: ALL, groupBy: [KIND, OUTCOME, CURRENCY]) {
          kind outcome currency count amount { value } points } }`,
      { token },
    )
    const summary = data.summary.map((row: Record<string, unknown>) => [
      ...[row['kind'], row['outcome'], row['currency'] ?? null, row['count']],
      ...(row['outcome'] === 'COMPLETED'
        ? [(row['amount'] as { value: number } | null)?.value ?? null, row['points'] ?? null]
        : []),
    ])
    const counted = countsOf(body).map((sum: Record<string, unknown>) => [
      ...[sum['kind'], sum['outcome'], sum['currency'], sum['count']],
      ...(sum['outcome'] === 'COMPLETED' ? [sum['amount'], sum['points']] : []),
    ])
    expect(counted.map(one => JSON.stringify(one)).toSorted()).toEqual(
      summary.map((one: unknown) => JSON.stringify(one)).toSorted(),
    )
    const only = await rest('GET', `statements/${day}?currency=USD`, token)
    expect(countsOf(only.body)).toMatchObject([{ currency: 'USD', kind: 'PAYMENT', count: 1, amount: 1.25 }])
  })

  it('STATE-02 is proved by its CSV: the digest, the rows, and the numbers that follow those of the day before', async () => {
    const { id, token } = await partner()
    await postAll(token)
    await moveBack(id, 1)
    await pay(stack, token)
    await stack.settled()
    await moveBack(id, 1)
    await setProgress(daysAgo(3))
    await make()
    const [earlier, later] = await Promise.all([
      rest('GET', `statements/${daysAgo(2)}`, token),
      rest('GET', `statements/${daysAgo(1)}`, token),
    ])
    const numbers = ({ body }: typeof earlier) =>
      body.numbers.find(({ kind }: { kind: string }) => kind === 'PAYMENT')
    expect(numbers(later).first).toBe(numbers(earlier).last + 1)
    const read = (path: string, headers = {}) =>
      fetch(`${stack.address}/partner/v1/statements/${path}`, {
        headers: { authorization: `Bearer ${token}`, ...headers },
      })
    const response = await read(`${daysAgo(2)}?format=csv`)
    expect(response.headers.get('content-type')).toContain('text/csv')
    const text = await response.text()
    expect(createHash('sha256').update(text).digest('hex')).toBe(earlier.body.sha256)
    expect(text.trimEnd().split('\r\n')).toHaveLength(earlier.body.entries + 1)
    expect(await (await read(daysAgo(2), { accept: 'text/csv' })).text()).toBe(text)
  })

  it('STATE-03 names the statement that a late reversal corrects; the CSV of that one stays as it was', async () => {
    const { id, token } = await partner()
    const reward = FIXTURES.find(({ kind }) => kind === 'REWARD')!
    const posted = await createRest(stack.address)('POST', reward.path, { token, body: reward.body() })
    await stack.settled()
    await moveBack(id, 2)
    await setProgress(daysAgo(3))
    await stack.app.db.$executeRaw`UPDATE activity.statement_progress SET day = ${daysAgo(3)}::date`
    await make()
    const csv = async () => {
      const response = await fetch(`${stack.address}/partner/v1/statements/${daysAgo(2)}?format=csv`, {
        headers: { authorization: `Bearer ${token}` },
      })
      return response.text()
    }
    const before = await csv()
    expect(before).toContain('COMPLETED')
    // The statement of yesterday is still to be made when it is reversed.
    const { db } = stack.app
    await db.$executeRaw`DELETE FROM activity.statement WHERE day = ${daysAgo(1)}::date`
    await db.$executeRaw`UPDATE activity.statement_progress SET day = ${daysAgo(2)}::date`
    const reversed = await createGraph(stack.address)(
      `mutation { reverseTransaction(id: "${posted.body.rewardId}", reason: "mistake") { outcome } }`,
      { token: await stack.token('demo-portal') },
    )
    expect(reversed.errors).toEqual([])
    await make()
    const { body } = await rest('GET', `statements/${daysAgo(1)}`, token)
    expect(body).toMatchObject({ entries: 0, numbers: [], currencies: [] })
    expect(body.reversals).toMatchObject([
      { id: posted.body.rewardId, kind: 'REWARD', number: 1, corrects: daysAgo(2), outcome: 'REVERSED' },
    ])
    const earlier = (await rest('GET', `statements/${daysAgo(2)}`, token)).body
    expect(await csv()).toBe(before)
    expect(createHash('sha256').update(before).digest('hex')).toBe(earlier.sha256)
  })

  it('STATE-04 is announced by an event, once, however often and by how many it is made', async () => {
    const { id, token } = await partner()
    await pay(stack, token)
    await stack.settled()
    await moveBack(id, 1)
    await setProgress(daysAgo(2))
    const { cursor } = (await rest('GET', 'events?after=now', token)).body
    await Promise.all([make(), make(), make()])
    await make()
    const { events } = (await rest('GET', `events?after=${cursor}`, token)).body
    const { body } = await rest('GET', `statements/${daysAgo(1)}`, token)
    expect(events).toMatchObject([
      {
        kind: 'STATEMENT',
        eventType: 'STATEMENT_READY',
        eventDetail: { statementId: body.id, date: daysAgo(1), entries: 1, sha256: body.sha256 },
      },
    ])
  })

  it('STATE-05 is made up for after an outage, day by day', async () => {
    const { id, token } = await partner()
    for (let n = 0; n < 3; n++) {
      await pay(stack, token)
      await stack.settled()
      await moveBack(id, 1)
    }
    await setProgress(daysAgo(4))
    await make()
    const newest = (await rest('GET', 'statements?limit=2', token)).body
    const oldest = (await rest('GET', 'statements?order=asc&limit=2', token)).body
    const days = ({ statements }: { statements: { date: string }[] }) => statements.map(({ date }) => date)
    expect([days(newest), days(oldest)]).toEqual([
      [daysAgo(1), daysAgo(2)],
      [daysAgo(3), daysAgo(2)],
    ])
    expect(days((await rest('GET', `statements?limit=2&after=${newest.next}`, token)).body)).toEqual([
      daysAgo(3),
    ])
  })

  it("STATE-06 is its partner's alone; portals name the partner", async () => {
    const { id, token } = await partner()
    await pay(stack, token)
    await stack.settled()
    await moveBack(id, 1)
    await setProgress(daysAgo(2))
    await make()
    const path = `statements/${daysAgo(1)}`
    const other = await partner()
    expect((await rest('GET', path, other.token)).status).toBe(404)
    expect((await rest('GET', `${path}?partner=${id}`, other.token)).status).toBe(404)
    const portal = await stack.token('demo-portal')
    expect((await rest('GET', path, portal)).status).toBe(400)
    expect((await rest('GET', `${path}?partner=${id}`, portal)).body.partner).toBe(id)
    for (const wrong of ['statements/today', `statements/${daysAgo(0)}`])
      expect((await rest('GET', wrong, token)).status).toBe(404)
  })
})
