/** Entities of each service alone, and a gateway over services of which one is down. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import type { Server } from '#core/create-server.ts'
import { localDay, startOfDay, startOfNextDay } from '#core/values/time.ts'
import { SERVICES } from '#subgraphs/names.ts'
import { createGatewayServer } from '#topology/gateway-server.ts'
import { FIXTURES } from '../../support/fixtures/all.ts'
import { createGraph, type Graph } from '../../support/graph.ts'
import { ask, ENTITIES, other, subgraphs, token, useLoneSubgraphs } from './lone.ts'

useLoneSubgraphs()

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000'

describe.each(FIXTURES)('$typename', ({ name, typename, idField, path, body }) => {
  const post = async (as: string): Promise<string> => {
    const response = await fetch(subgraphs.of(name).address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${as}` },
      body: JSON.stringify(body()),
    })
    const answer = (await response.json()) as Record<string, string>
    expect([response.status, answer]).toEqual([expect.toBeOneOf([200, 201]), expect.anything()])
    return answer[idField]!
  }
  const reference = (id: string) => ({ __typename: typename, [idField]: id })

  it('SUBGRAPH-SPEC-20 MUST resolve them in sequence, null for what is not known', async () => {
    const ids = [await post(token), UNKNOWN_ID, await post(token), 'no-id']
    const { data, errors } = await ask(name, ENTITIES(`... on ${typename} { ${idField} }`), {
      r: ids.map(reference),
    })
    expect(errors).toEqual([])
    expect(data._entities).toEqual([reference(ids[0]!), null, reference(ids[2]!), null])
  })

  it("SUBGRAPH-SPEC-21 MUST resolve another client's to null", async () => {
    const r = [reference(await post(other)), reference(await post(token))]
    const query = ENTITIES(`... on ${typename} { ${idField} }`)
    expect((await ask(name, query, { r })).data._entities).toEqual([null, r[1]])
    expect((await ask(name, query, { r }, other)).data._entities).toEqual([r[0], null])
  })
})

describe('owners', () => {
  const owners = SERVICES.filter(({ rest }) => rest)

  it.each(owners)('SUBGRAPH-SPEC-30 MUST resolve a number nobody has to null: $name', async ({ name }) => {
    const r = ['+96899999999', '+96891000001'].map(mobileNumber => ({
      __typename: 'Subscriber',
      mobileNumber,
    }))
    const { data } = await ask(name, ENTITIES('... on Subscriber { mobileNumber }'), { r })
    expect(data._entities).toEqual([null, r[1]])
  })

  it('SUBGRAPH-SPEC-31 MUST resolve accounts in sequence, null for one that nobody has', async () => {
    const r = ['100002', '999999', '100001'].map(customerAccountNumber => ({
      __typename: 'Customer',
      customerAccountNumber,
    }))
    const { data } = await ask('postpaid-billing', ENTITIES('... on Customer { customerName }'), { r })
    expect(data._entities).toMatchObject([
      { customerName: 'Muna Al Balushi' },
      null,
      { customerName: 'Salim Al Harthy' },
    ])
  })
})

/** Last, since a service is stopped. */
describe('a gateway over them', () => {
  const QUERY = readFileSync(
    join(import.meta.dirname, '../../../schema/operations/customer-360.graphql'),
    'utf8',
  )
  let gateway: Server
  let graph: Graph
  let token: string

  beforeAll(async () => {
    const urls = SERVICES.map(({ name }) => `${name}=${subgraphs.of(name).address}`).join(',')
    const { subgraphUrls } = readConfig({ SUBGRAPH_URLS: urls })
    const { app } = subgraphs
    gateway = await createGatewayServer({ ...app, config: { ...app.config, subgraphUrls } })
    graph = createGraph(await gateway.http.listen({ port: 0, host: '127.0.0.1' }))
    token = await subgraphs.token('demo-analyst')
    await subgraphs.of('activity').server.service.settled()
  })
  afterAll(() => gateway?.stop())

  const SPAN = `query ($n: PhoneNumber!, $from: DateTime, $to: DateTime) { subscriber(mobileNumber: $n) {
    mobileNumber timeline(filter: { from: $from, to: $to }) { totalCount }
    rewards(filter: { from: $from, to: $to }) { totalCount nodes { createdAt } } } }`

  it('PARTIAL-01 MUST take a number as it is typed, and a date as a day of the operator', async () => {
    const all = await graph(SPAN, { token, variables: { n: '91000001' } })
    const [{ createdAt }] = all.data.subscriber.rewards.nodes
    const day = localDay(new Date(createdAt), subgraphs.app.config.timezone)
    const zone = subgraphs.app.config.timezone
    const from = startOfDay(day, zone).toISOString()
    const to = new Date(startOfNextDay(day, zone).getTime() - 1).toISOString()
    const exact = await graph(SPAN, { token, variables: { n: '+96891000001', from, to } })
    expect(exact.data.subscriber.rewards.totalCount).toBeGreaterThan(0)
    for (const n of ['91000001', '96891000001']) {
      const { data, errors } = await graph(SPAN, { token, variables: { n, from: day, to: day } })
      expect([data, errors]).toEqual([exact.data, []])
    }
  })

  it.each([
    ['PhoneNumber', 'query ($v: PhoneNumber!) {\n  a: subscriber(mobileNumber: $v) { kind } }', 'abc', ['a']],
    ['PhoneNumber', '{\n  a: subscriber(mobileNumber: "abc") { kind } }', undefined, ['a']],
    [
      'DateTime',
      '{ subscriber(mobileNumber: "91000001") {\n  payments(filter: { to: "2026-02-30" }) { totalCount } } }',
      undefined,
      ['subscriber', 'payments'],
    ],
  ])('PARTIAL-02 MUST say where a wrong %s stands: %s', async (scalar, query, v, path) => {
    const { status, errors } = await graph(query, { token, variables: { v } })
    expect(status).toBe(400)
    expect(errors).toMatchObject([{ path, locations: [{ line: v ? 1 : 2 }] }])
    expect(errors[0]!.message).toContain(`${scalar} must be`)
  })

  it('PARTIAL-03 MUST answer all but the fields of a subgraph that is down, each null with an error', async () => {
    const ask = () => graph(QUERY, { token, variables: { n: '+96891000001' } })
    const before = (await ask()).data.subscriber
    await subgraphs.of('redemption').server.stop()
    const { status, data, errors } = await ask()
    expect(status).toBe(200)
    const { redemptions, timeline, ...rest } = data.subscriber
    const { redemptions: _, timeline: whole, ...others } = before
    expect([rest, redemptions]).toEqual([others, null])
    const isLost = (index: number) => whole.edges[index].node.kind === 'REDEMPTION'
    const lost = [...whole.edges.keys()].filter(isLost)
    expect(lost.length).toBeGreaterThan(0)
    expect(timeline.edges.filter((_: unknown, index: number) => !isLost(index))).toEqual(
      whole.edges.filter((_: unknown, index: number) => !isLost(index)),
    )
    expect(errors.map(({ path }) => path!.slice(0, 4))).toEqual(
      expect.arrayContaining([
        ['subscriber', 'redemptions'],
        ...lost.map(index => ['subscriber', 'timeline', 'edges', index]),
      ]),
    )
    expect(errors).toHaveLength(lost.length + 1)
    for (const { message, extensions } of errors) {
      expect(message).toBe('The subgraph redemption cannot be reached')
      expect(extensions).toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        reason: 'UNAVAILABLE',
        http: { status: 503 },
      })
    }
  })
})
