/** The path `/mcp`: who may send what, which settings change it, and what is handed to the protocol's library. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { failure, MAX_ANSWER_BYTES, toToolResult, visibleJson } from '#gateway/mcp/results.ts'
import { answer } from '#gateway/mcp/server.ts'
import { FIXTURES } from '../../support/fixtures/all.ts'
import { type Stack, startStack } from '../../support/stack.ts'
import { connectAgent } from './agent.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'mcp-'))
const TRUSTED = `# Who asks, and when the newest event was.
query WhoAmI { me { id } latestEventCursor }`

let stack: Stack
beforeAll(async () => {
  writeFileSync(join(FOLDER, 'who.graphql'), TRUSTED)
  const env = { MCP_MUTATIONS: 'CreatePayment', CORS_ORIGINS: 'https://agent.example' }
  stack = await startStack({ env })
})
afterAll(async () => {
  await stack[Symbol.asyncDispose]()
  rmSync(FOLDER, { recursive: true })
})

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }

const send = async (body: unknown, headers: Record<string, string> = {}, at = stack) =>
  fetch(`${at.address}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${await at.token('demo-analyst')}`,
      ...headers,
    },
    body: JSON.stringify(body),
  })

it('MCP-40 MUST want a token, before anything else of a message is read', async () => {
  const response = await fetch(`${stack.address}/mcp`, { method: 'POST', body: 'x'.repeat(100) })
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringMatching(/^Bearer/),
  ])
})

it.each([
  ['https://agent.example', 200],
  [undefined, 200],
  ['https://evil.example', 403],
  ['null', 403],
])('MCP-41 MUST answer a page of the origin %s with %i', async (origin, status) => {
  expect((await send(PING, origin === undefined ? {} : { origin })).status).toBe(status)
})

it('MCP-42 MUST refuse the page of this very address: its name may be another that leads here', async () => {
  expect((await send(PING, { origin: stack.address })).status).toBe(403)
})

it('MCP-43 MUST take one message at a time, no sessions and no streams that stay open', async () => {
  expect((await send([PING, PING])).status).toBe(400)
  for (const method of ['GET', 'DELETE'])
    expect((await fetch(`${stack.address}/mcp`, { method })).status).toBe(405)
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  }
  const listen = {
    ...PING,
    method: 'subscriptions/listen',
    params: { _meta: meta, filter: { toolsListChanged: true } },
  }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
  const response = await send(listen, headers)
  expect(await response.json()).toMatchObject({ error: { message: 'Subscription limit reached' } })
  expect(response.headers.get('mcp-session-id')).toBeNull()
})

it('MCP-44 MUST call a mutation that a setting names, for those who may, and mark it as changing', async () => {
  const fixture = FIXTURES.find(({ kind }) => kind === 'PAYMENT')!
  await using partner = await connectAgent(stack, 'demo-partner')
  const { tools } = await partner.client.listTools()
  const changing = tools.filter(({ annotations }) => !annotations?.readOnlyHint)
  expect(changing.map(({ name, annotations }) => [name, annotations])).toEqual([
    [
      'CreatePayment',
      { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    ],
  ])
  const input = fixture.body()
  const { createPayment } = await partner.read('CreatePayment', { input })
  expect(await stack.app.db.payment.count({ where: { id: createPayment.paymentId } })).toBe(1)
  const again = await partner.call('CreatePayment', { input })
  expect([again.isError, JSON.stringify(again.content)]).toEqual([
    true,
    expect.stringContaining('already exists'),
  ])
  await using analyst = await connectAgent(stack)
  const refused = await analyst.call('CreatePayment', { input: fixture.body() })
  expect([refused.isError, JSON.stringify(refused.content)]).toEqual([
    true,
    expect.stringContaining('PERMISSION_DENIED'),
  ])
})

it('MCP-45 MUST not be there with MCP=0', async () => {
  await using off = await startStack({ env: { MCP: '0' } })
  expect((await send(PING, {}, off)).status).toBe(404)
})

it('MCP-46 MUST offer trusted documents alone where no others are executed', async () => {
  const env = { TRUSTED_DOCUMENTS: join(FOLDER, 'who.graphql'), TRUSTED_ONLY: '1' }
  await using only = await startStack({ env })
  await using agent = await connectAgent(only)
  const { tools } = await agent.client.listTools()
  expect(tools.map(({ name, description }) => [name, description])).toEqual([
    ['WhoAmI', expect.stringMatching(/^Who asks, and when the newest event was\. /)],
  ])
  expect(await agent.read('WhoAmI')).toMatchObject({ me: { id: 'demo-analyst' } })
  expect((await agent.client.listPrompts()).prompts).toEqual([])
})

it('MCP-47 MUST not start with the name of a mutation that there is not', async () => {
  await expect(startStack({ env: { MCP_MUTATIONS: 'CreatePayment,Customer360' } })).rejects.toThrow(
    /MCP_MUTATIONS names no mutation: "Customer360"; there are CreatePayment, /,
  )
})

it('MCP-48 MUST hand the token to nobody', async () => {
  const seen: Request[] = []
  const handler = {
    async fetch(request: Request) {
      seen.push(request)
      return new Response('')
    },
  }
  const headers = { authorization: 'Bearer secret', cookie: 'a=b', 'mcp-method': 'ping', accept: '*/*' }
  const signal = new AbortController().signal
  await answer(handler as never, {
    headers,
    body: PING,
    sender: { authorization: 'Bearer secret' } as never,
    signal,
  })
  const [request] = seen
  expect(Object.fromEntries(request!.headers)).toEqual({
    'content-type': 'application/json',
    'mcp-method': 'ping',
    accept: '*/*',
  })
  expect(JSON.stringify([request!.url, await request!.text()])).not.toContain('secret')
})

it('MCP-49 MUST refuse an answer that is longer than a model can read, and say what to do', () => {
  const { content, isError, structuredContent } = toToolResult({
    data: { text: 'x'.repeat(MAX_ANSWER_BYTES) },
  })
  expect([isError, structuredContent]).toEqual([true, undefined])
  expect(content).toEqual(failure((content[0] as { text: string }).text).content)
  expect((content[0] as { text: string }).text).toMatch(/ask for smaller pages/)
})

it.each([
  '\u0000\u007F\u0085\u2028',
  '\u202E\u2066\u200D\uFEFF',
  '\u{E0001}\u{E0041}\uFE0F\u00AD',
  'شكرا "ok" \\u0041',
])('MCP-50 MUST write JSON that shows each character, and reads as the same (%j)', value => {
  const json = visibleJson({ value })
  expect(JSON.parse(json)).toEqual({ value })
  expect(json).not.toMatch(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028]/u)
})
