/** Two servers over the wire, one of them without compiled operations: the examples, mutations and load. */

import { describe, expect, it } from 'vitest'
import { readText } from '../../support/sources.ts'
import { countHot, type WireRequest } from './support/two-servers.ts'
import { CLIENTS, CUSTOMER_360, examplesOf, NUMBER, TIMEOUT } from './support/wire.ts'
import { useWire, wire } from './wire.ts'

useWire()

/** What customers owe moves while payments are settled. */
const CREATE_PAYMENT = readText('schema/operations/create-payment.graphql').replace('totalDues', '')

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
      const used = Object.entries({ ...ids, n: NUMBER }).filter(([name]) => query.includes(`$${name}:`))
      await wire.same({ body: { query, variables: Object.fromEntries(used) }, token: wire.token(client) })
    }
    expect(hot()).toBeGreaterThan(queries.length)
  })

  it('COMPILED-WIRE-22 MUST be written with the Accept that was asked for', async () => {
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

describe('mutations', { timeout: TIMEOUT }, () => {
  it('COMPILED-WIRE-23 MUST be executed once for each request, and refused when they are repeated', async () => {
    const hot = countHot()
    const paymentOf = (server: string, number: number) => ({
      clientCorrelatorId: `wire-${server}-${number}`,
      referenceCode: 'R',
      customerInfo: { customerAccountNumber: '100002', phoneNumber: '91000002' },
      paymentInfo: { paymentInformation: { amount: 1.5, currency: 'OMR', description: 'x' } },
    })
    for (const number of [1, 2, 3, 3, 2]) {
      await wire.sameFor(server => {
        const variables = { input: { paymentTransaction: paymentOf(server, number) } }
        return { body: { query: CREATE_PAYMENT, variables }, token: wire.token('demo-partner') }
      })
    }
    expect(hot()).toBe(4)
    const { db } = wire.servers.opened.app
    const clientCorrelatorId = { startsWith: 'wire-c-' }
    expect(await db.payment.count({ where: { clientCorrelatorId } })).toBe(3)
  })

  it.each(CLIENTS)('COMPILED-WIRE-24 MUST be answered the same: the examples, %s', async client => {
    // A client has so many secrets at a time, whichever server it asks.
    const mutations = examplesOf('mutations').filter(({ name }) => name !== 'rotateWebhookSecret')
    for (const { query } of mutations) {
      const variables = query.includes('$deliveryId')
        ? { deliveryId: '00000000-0000-4000-8000-000000000000' }
        : {}
      for (let time = 0; time < 3; time++)
        await wire.sameFor(server => {
          const own = query.replaceAll('example-', `example-${server}-`)
          return { body: { query: own, variables }, token: wire.token(client) }
        })
    }
  })
})

describe('by the thousand', { timeout: TIMEOUT }, () => {
  /** What an analyst asks: how the months went, by kind, and what failed lately. */
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
    for (let start = 0; start < 1_000; start += 10) {
      const indexes = Array.from({ length: 10 }, (_, index) => start + index)
      const byApollo = await Promise.all(indexes.map(index => wire.servers.byApollo(ask(index))))
      const compiled = await Promise.all(indexes.map(index => wire.servers.compiled(ask(index))))
      expect(compiled).toEqual(byApollo)
      expect(compiled[0]).toMatchObject({ status: 200, body: expect.not.stringContaining('"errors"') })
    }
  })
})
