/** A process works for its own services alone: what belongs to others waits for theirs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReceiver } from '#test/core/webhooks/receiver.ts'
import { payment } from '#test/core/webhooks/support.ts'
import { createGraph } from '../../support/graph.ts'
import { createRest } from '../../support/rest.ts'
import { type LoneSubgraphs, serveSubgraph, startSubgraphs } from '../../support/subgraph.ts'

let subgraphs: LoneSubgraphs
let token: string

beforeAll(async () => {
  subgraphs = await startSubgraphs(['prepaid', 'activity'], { env: { WEBHOOK_ALLOW: '127.0.0.1' } })
  token = await subgraphs.token()
})
afterAll(() => subgraphs?.[Symbol.asyncDispose]())

describe('jobs', () => {
  it("SUBGRAPH-JOBS-01 MUST leave webhooks of other services' transactions to their processes", async () => {
    await using receiver = await startReceiver()
    {
      await using billing = await serveSubgraph(subgraphs.app, 'postpaid-billing')
      await billing.server.deliverer.stop()
      const body = { ...payment('100001'), webhook: { notificationUrl: receiver.url } }
      const response = await createRest(billing.address)('POST', '/postpaid-billing/v1/payments', {
        token,
        body,
      })
      expect(response.status).toBe(201)
      await billing.server.service.settled()
    }
    for (const name of ['prepaid', 'activity']) await subgraphs.of(name).server.deliverer.idle()
    expect(receiver.received).toEqual([])

    await using billing = await serveSubgraph(subgraphs.app, 'postpaid-billing')
    await receiver.count(1)
    await billing.server.deliverer.idle()
    expect(receiver.received).toHaveLength(1)
  })

  it('SUBGRAPH-JOBS-02 MUST follow what others post where activity is served', async () => {
    await using billing = await serveSubgraph(subgraphs.app, 'postpaid-billing')
    const body = payment('100002')
    const response = await createRest(billing.address)('POST', '/postpaid-billing/v1/payments', {
      token,
      body,
    })
    const activity = subgraphs.of('activity')
    await billing.server.service.settled()
    await activity.server.service.settled()
    const { data } = await createGraph(activity.address)(
      '{ timeline(first: 1) { nodes { outcome transaction { ... on Payment { paymentId } } } } }',
      { token },
    )
    expect(data.timeline.nodes).toEqual([
      { outcome: 'COMPLETED', transaction: { paymentId: response.body.paymentId } },
    ])
  })
})
