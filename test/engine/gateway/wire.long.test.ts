/** As wire.test.ts, with all examples and roles, subgraphs in need, and the analyst's query by the thousand. */

import { getOperationAST, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { casesOf } from '#test/support/cases.ts'
import { changesByAsking } from '#test/support/repository-operations.ts'
import { useWire, wire } from './opened-wire.ts'
import { countHot, LONG_MS, type WireRequest } from './support/two-servers.ts'
import { CLIENTS, CUSTOMER_360, examplesOf, NUMBER, TIMEOUT } from './support/wire.ts'

useWire()

/** An id of each kind. */
const readIds = async (): Promise<Record<string, unknown>> => {
  const query = `{
    payments(first: 1) { nodes { paymentId } }
    recharges(first: 1) { nodes { rechargeId } }
    rewards(first: 1) { nodes { rewardId } }
    redemptions(first: 1) { nodes { redemptionId } }
    messages(first: 1) { nodes { otlTransactionId } }
  }`
  const { body } = await wire.servers.byApollo(wire.portal({ query }))
  const { data } = JSON.parse(body) as { data: Record<string, { nodes: Record<string, unknown>[] }> }
  const ids = Object.assign({}, ...Object.values(data).map(({ nodes }) => nodes[0] ?? {}))
  return { ...ids, id: ids['paymentId'] }
}

describe('examples', { timeout: TIMEOUT }, () => {
  it.each(CLIENTS)('COMPILED-WIRE-21 MUST be answered the same three times: %s', async client => {
    const hot = countHot()
    const ids = await readIds()
    const queries = [...examplesOf('queries'), { name: 'Customer360', query: CUSTOMER_360 }]
    for (const { query } of queries) {
      if (changesByAsking(getOperationAST(parse(query))!)) continue
      const used = Object.entries({ ...ids, n: NUMBER }).filter(([name]) => query.includes(`$${name}:`))
      await wire.same({ body: { query, variables: Object.fromEntries(used) }, token: wire.token(client) })
    }
    expect(hot()).toBeGreaterThan(queries.length)
  })

  it('COMPILED-WIRE-22 MUST be written with the type that `Accept` requests', async () => {
    const body = { query: CUSTOMER_360, variables: { n: NUMBER } }
    for (const accept of [
      '*/*',
      'application/json',
      'application/graphql-response+json',
      'text/html',
      'image/*',
    ])
      await wire.same(wire.portal(body, { headers: { accept } }))
    await wire.same(wire.portal(body, { headers: { 'accept-encoding': 'gzip, br' } }))
    await wire.same(wire.portal(body, { headers: { 'content-type': 'text/plain' } }))
    await wire.same(wire.portal(body, { headers: { 'content-type': 'application/json; charset=utf-8' } }))
  })
})

describe('subgraphs in need', { timeout: TIMEOUT }, () => {
  const query = 'query InNeed($n: PhoneNumber!) { me { id } subscriber(mobileNumber: $n) { kind } }'
  const body = { query, variables: { n: NUMBER } }

  /** With another look-up of lines while the test runs. */
  const withLines = async (line: () => Promise<never>, run: () => Promise<void>) => {
    const { directory } = wire.servers.opened.app
    const before = directory.line
    Object.assign(directory, { line })
    await run().finally(() => Object.assign(directory, { line: before }))
  }

  it('COMPILED-WIRE-31 MUST be reported alike when they fail', async () => {
    await wire.warm(body)
    await withLines(
      () => Promise.reject(new Error('not foreseen')),
      async () => {
        const { status, body: text } = await wire.same(wire.portal(body))
        expect([status, JSON.parse(text).errors]).toMatchObject([
          200,
          [{ extensions: { code: 'SERVER_ERROR' } }],
        ])
      },
    )
    await wire.same(wire.portal(body))
  })

  it('COMPILED-WIRE-32 MUST be reported alike at the deadline', async () => {
    await wire.warm(body)
    await withLines(
      () => new Promise<never>(() => undefined),
      async () => {
        wire.servers.setDeadline(300)
        const { body: text } = await wire.same(wire.portal(body), 1)
        wire.servers.setDeadline(LONG_MS)
        expect(JSON.parse(text).errors[0].extensions.code).toBe('REQUEST_TIMEOUT_EXCEEDED')
      },
    )
  })
})

describe('by the thousand', { timeout: TIMEOUT }, () => {
  /** Operation of an analyst: sums of months by kind, and recent failures. */
  const query = `query Analyst($from: DateTime, $outcome: Outcome!) {
    summary(by: MONTH, groupBy: [KIND, OUTCOME], from: $from) { period kind outcome count failed amount { value currency } points }
    timeline(filter: { outcomes: [$outcome] }, first: 20) {
      totalCount
      nodes { kind occurredAt outcome description transaction { id reason customer { customerName } } }
    }
  }`
  const outcomes = ['FAILED', 'COMPLETED', 'REVERSED', 'PENDING']

  it('COMPILED-WIRE-33 MUST be answered the same, whoever is answered at the same time', async () => {
    const ask = (index: number): WireRequest => {
      const variables = { from: index % 3 ? '2026-01-01' : null, outcome: outcomes[index % 4] }
      return { body: { query, variables }, token: wire.token('demo-analyst') }
    }
    for (let start = 0; start < casesOf(1_000); start += 10) {
      const indexes = Array.from({ length: 10 }, (_, index) => start + index)
      const byApollo = await Promise.all(indexes.map(index => wire.servers.byApollo(ask(index))))
      const compiled = await Promise.all(indexes.map(index => wire.servers.compiled(ask(index))))
      expect(compiled).toEqual(byApollo)
      expect(compiled[0]).toMatchObject({ status: 200, body: expect.not.stringContaining('"errors"') })
    }
  })
})
