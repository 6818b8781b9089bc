/** As wire.test.ts, with mutations and everything that is unusual of a request for an operation that is known. */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readText } from '#test/support/sources.ts'
import { useWire, wire } from './opened-wire.ts'
import { countHot, type WireRequest } from './support/two-servers.ts'
import { CLIENTS, CUSTOMER_360, examplesOf, hashed, NUMBER, TIMEOUT } from './support/wire.ts'

useWire()

/** Dues of customers, which change while payments are settled. */
const CREATE_PAYMENT = readText('schema/operations/create-payment.graphql').replace('totalDues', '')

const realNow = Date.now.bind(Date)
const clock = vi.spyOn(Date, 'now')
afterAll(() => clock.mockRestore())

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

const SIZED = `query ($n: Int, $m: Int = 1) {
  payments(first: $n) { nodes { customer { payments(first: $m) { nodes { paymentId } } } } }
}`

/** Refused and unusual requests of a known operation. */
const UNUSUAL: [what: string, request: object, more?: Partial<WireRequest>][] = [
  ['a variable of the wrong type', { query: CUSTOMER_360, variables: { n: { a: 1 } } }],
  ['a number that is none', { query: CUSTOMER_360, variables: { n: 'no number' } }],
  ['a number in its national form', { query: CUSTOMER_360, variables: { n: '91000002' } }],
  ['a number that nobody has', { query: CUSTOMER_360, variables: { n: '+96899999999' } }],
  ['no variables', { query: CUSTOMER_360 }],
  ['null for them', { query: CUSTOMER_360, variables: null }],
  ['a list for them', { query: CUSTOMER_360, variables: [] }],
  ['a text for them', { query: CUSTOMER_360, variables: 'n' }],
  ['null for one that must be', { query: CUSTOMER_360, variables: { n: null } }],
  ['more of them', { query: CUSTOMER_360, variables: { n: NUMBER, more: 1 } }],
  ['an operationName', { query: CUSTOMER_360, variables: { n: NUMBER }, operationName: 'Customer360' }],
  ['another operationName', { query: CUSTOMER_360, variables: { n: NUMBER }, operationName: 'Other' }],
  ['an empty operationName', { query: CUSTOMER_360, variables: { n: NUMBER }, operationName: '' }],
  ['null for operationName', { query: CUSTOMER_360, variables: { n: NUMBER }, operationName: null }],
  ['a number for operationName', { query: CUSTOMER_360, variables: { n: NUMBER }, operationName: 5 }],
  ['unknown keys', { query: CUSTOMER_360, variables: { n: NUMBER }, more: 1 }],
  ['extensions', { query: CUSTOMER_360, variables: { n: NUMBER }, extensions: {} }],
  ['extensions that are a text', { query: CUSTOMER_360, variables: { n: NUMBER }, extensions: 'x' }],
  ['another hash', hashed(CUSTOMER_360, { query: CUSTOMER_360, variables: { n: NUMBER } }, '0'.repeat(64))],
  ['another version', hashed(CUSTOMER_360, { query: CUSTOMER_360, variables: { n: NUMBER } }, undefined, 2)],
  ['no query', { variables: { n: NUMBER } }],
  ['a query that is no text', { query: 5 }],
  ['a batch', [{ query: CUSTOMER_360, variables: { n: NUMBER } }]],
  ['sizes that are too costly', { query: SIZED, variables: { n: 200, m: 200 } }],
  ['a size that is none', { query: SIZED, variables: { n: -1 } }],
  ['sizes that are allowed', { query: SIZED, variables: { n: 2, m: 2 } }],
  ['another size than the default', { query: SIZED, variables: { n: 2, m: null } }],
  ['no token', { query: CUSTOMER_360, variables: { n: NUMBER } }, { token: undefined }],
  ['a token that is none', { query: CUSTOMER_360, variables: { n: NUMBER } }, { token: 'x.y.z' }],
  ['PUT', { query: CUSTOMER_360, variables: { n: NUMBER } }, { method: 'PUT' }],
  ['GET', {}, { method: 'GET', body: undefined }],
  ['a query in the address', {}, { path: `/graphql?query=${encodeURIComponent('{ __typename }')}` }],
]

describe('requests for operations that are known', { timeout: TIMEOUT }, () => {
  beforeAll(async () => {
    await wire.warm({ query: CUSTOMER_360, variables: { n: NUMBER } })
    await wire.warm({ query: SIZED, variables: { n: 1 } })
  })

  it.each(UNUSUAL)('COMPILED-WIRE-25 MUST be answered the same with %s', async (_, body, more) => {
    await wire.same(wire.portal(body, more), 2)
  })

  it('COMPILED-WIRE-26 MUST be refused once the token has expired', async () => {
    const { access } = wire.servers.opened.app
    const client = (await access.clients.find('demo-portal'))!
    clock.mockImplementation(() => realNow() - 30 * 86_400_000)
    const token = await access.issuer!.issue(client).finally(() => clock.mockReset())
    const body = { query: CUSTOMER_360, variables: { n: NUMBER } }
    expect(await wire.same({ body, token })).toMatchObject({ status: 401 })
    expect(await wire.same(wire.portal(body))).toMatchObject({ status: 200 })
  })

  it('COMPILED-WIRE-27 MUST be refused to a role that may not see a field, whichever client sent it before', async () => {
    const query = '{ partners(first: 3) { nodes { id name } } summary(by: ALL) { count } }'
    const bodies = []
    for (const client of [...CLIENTS, ...CLIENTS.toReversed()])
      bodies.push((await wire.same({ body: { query }, token: wire.token(client) })).body)
    expect(new Set(bodies).size).toBeGreaterThan(1)
  })

  it('COMPILED-WIRE-28 MUST give a partner nothing of another', async () => {
    const client = { id: 'wire-other', role: 'partner' as const }
    const stranger = await wire.servers.opened.token(client)
    const query = '{ payments(first: 5) { totalCount nodes { paymentId clientId: postedBy { id } } } }'
    await wire.warm({ query }, 'demo-partner')
    const own = await wire.same({ body: { query }, token: wire.token('demo-partner') })
    const other = await wire.same({ body: { query }, token: stranger })
    expect(JSON.parse(own.body).data.payments.totalCount).toBeGreaterThan(0)
    expect(JSON.parse(other.body).data.payments).toEqual({ totalCount: 0, nodes: [] })
    await wire.same({ body: { query }, token: wire.token('demo-partner') })
  })

  it('COMPILED-WIRE-29 MUST be found by the hash of a persisted query', async () => {
    const query = 'query Persisted { me { id } }'
    const hot = countHot()
    await wire.same(wire.portal(hashed(query, {})), 1)
    await wire.same(wire.portal(hashed(query, { query })), 1)
    await wire.same(wire.portal(hashed(query, {})))
    expect(hot()).toBeGreaterThanOrEqual(2)
  })

  it('COMPILED-WIRE-30 MUST be refused alike once a client has used up its cost', async () => {
    const token = await wire.servers.opened.token({
      id: 'wire-costly',
      role: 'portal',
      quotas: { costPerMinute: '3000' },
    })
    const body = { query: '{ payments(first: 200) { nodes { paymentId kind outcome } } }' }
    const statuses = []
    for (let time = 0; time < 6; time++) statuses.push((await wire.same({ body, token }, 1)).status)
    expect(statuses).toEqual(expect.arrayContaining([200, 503]))
  })
})
