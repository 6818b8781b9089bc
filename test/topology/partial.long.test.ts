/** A gateway over services in other processes: input as clients type it, and answers while one service is down. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import type { Server } from '#core/create-server.ts'
import { localDay, startOfDay, startOfNextDay } from '#core/values/time.ts'
import { SERVICES } from '#subgraphs/names.ts'
import { subgraphs, useLoneSubgraphs } from '#test/subgraphs/server/lone.ts'
import { createGraph, type Graph } from '#test/support/graph.ts'
import { createGatewayServer } from '#topology/gateway-server.ts'

useLoneSubgraphs()

describe('a gateway over services', () => {
  const QUERY = readFileSync(
    join(import.meta.dirname, '../../schema/operations/customer-360.graphql'),
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
