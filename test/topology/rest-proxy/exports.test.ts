/** Exports at a gateway: what it refuses itself. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import type { Server } from '#core/create-server.ts'
import { createGateway } from '#test/support/separate.ts'
import { type Stack, startStack } from '#test/support/stack.ts'

let stack: Stack
let gateway: Server
let address: string
beforeAll(async () => {
  stack = await startStack()
  const { app } = stack
  const { subgraphUrls } = readConfig({ SUBGRAPH_URLS: 'activity=http://127.0.0.1:1/graphql' })
  gateway = await createGateway({ ...app, config: { ...app.config, subgraphUrls } })
  address = await gateway.http.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await gateway?.stop()
  await stack?.[Symbol.asyncDispose]()
})

it.each(['timeline.csv', 'timeline.ndjson', 'summary.csv', 'summary.ndjson'])(
  'EXP-PROXY-01 MUST say why, as the service does: %s',
  async name => {
    const refusals = [address, stack.address].map(async one => {
      const response = await fetch(`${one}/exports/${name}`)
      return { status: response.status, body: await response.json() }
    })
    const [atGateway, atService] = await Promise.all(refusals)
    expect(atGateway).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED', reason: 'TOKEN_NOT_ACCEPTED' },
    })
    expect(atGateway).toEqual(atService)
  },
)
