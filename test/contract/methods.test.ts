/** A method that a path does not have is 405 with the same `Allow`, in one process, at a service and at a gateway. */
import { METHODS } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import type { Server } from '#core/create-server.ts'
import { exchange, requestText } from '#test/core/http/raw.ts'
import { createGateway, HAS_TOPOLOGY } from '../support/separate.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { type LoneSubgraph, serveSubgraph } from '../support/subgraph.ts'

let stack: Stack
let service: LoneSubgraph
let gateway: Server | undefined
let token: string
const addresses: Record<string, string> = {}

beforeAll(async () => {
  stack = await startStack()
  const { app } = stack
  service = await serveSubgraph(app, 'postpaid-billing')
  token = await stack.token()
  Object.assign(addresses, { whole: stack.address, service: service.address })
  if (!HAS_TOPOLOGY) return
  const { subgraphUrls } = readConfig({ SUBGRAPH_URLS: `postpaid-billing=${service.address}/graphql` })
  gateway = await createGateway({ ...app, config: { ...app.config, subgraphUrls } })
  Object.assign(addresses, { gateway: await gateway.http.listen({ port: 0, host: '127.0.0.1' }) })
})
afterAll(async () => {
  await gateway?.stop()
  await service?.[Symbol.asyncDispose]()
  await stack?.[Symbol.asyncDispose]()
})

/** With what may be sent to them. */
const PATHS: readonly (readonly [path: string, allow: string])[] = [
  ['/postpaid-billing/v1/payments', 'GET, HEAD, POST'],
  ['/postpaid-billing/v1/payments/0198c0de-0000-7000-8000-000000000000', 'GET, HEAD'],
  ['/postpaid-billing/v1/customers', 'GET, HEAD'],
  ['/postpaid-billing/v1/pay%6Dents', 'GET, HEAD, POST'],
  ['/graphql', 'GET, HEAD, POST'],
  ['/oauth2/accesstoken', 'POST'],
  ['/health/live', 'GET, HEAD'],
]

/** Methods that end a connection are none of HTTP's business here: CONNECT opens a tunnel. */
const TRIED = METHODS.filter(method => method !== 'CONNECT')

const ask = async (address: string, method: string, path: string, withToken: boolean) => {
  const headers = { connection: 'close', ...(withToken && { authorization: `Bearer ${token}` }) }
  const response = await exchange(address, requestText(`${method} ${path}`, headers))
  return { status: response.status, allow: response.headers.get('allow'), code: response.body?.code }
}

it.each(PATHS)(
  'METHOD-01 MUST be 405 with the same Allow everywhere, with a token or without: %s',
  async (path, allow) => {
    const others = TRIED.filter(method => !allow.split(', ').includes(method))
    expect(others).toContain('QUERY')
    for (const [where, address] of Object.entries(addresses))
      for (const method of others) {
        const answer = await ask(address, method, path, method !== 'QUERY')
        const expected = { status: 405, allow, ...(method !== 'HEAD' && { code: 'INVALID_ARGUMENT' }) }
        expect(answer, `${method} ${path} at ${where}`).toMatchObject(expected)
      }
  },
)

it.each(['QUERY', 'PROPFIND', 'GET', 'PUT'])(
  'METHOD-02 MUST be 404 everywhere on a path that there is not: %s',
  async method => {
    for (const [where, address] of Object.entries(addresses))
      for (const path of ['/postpaid-billing/v1/nowhere', '/postpaid-billing/v1', '/postpaid-billing/%FF']) {
        const { status, code } = await ask(address, method, path, true)
        expect([status, code], `${method} ${path} at ${where}`).toEqual([404, 'NOT_FOUND'])
      }
  },
)
