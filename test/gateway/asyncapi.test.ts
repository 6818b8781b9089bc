/** The AsyncAPI document: sound by its own parser, served, and true of the messages that a server sends and takes. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DiagnosticSeverity, Parser } from '@asyncapi/parser'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { buildSchema, type GraphQLObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { parse } from 'yaml'
import { type Receiver, startReceiver } from '#test/core/webhooks/receiver.ts'
import { FIXTURES } from '#test/support/fixtures/all.ts'
import type { ServiceFixture } from '#test/support/fixtures/fixture.ts'
import { createGraph } from '#test/support/graph.ts'
import { createRest } from '#test/support/rest.ts'
import { type Stack, startStack } from '#test/support/stack.ts'

const SCHEMA = join(import.meta.dirname, '../../schema')
const TEXT = readFileSync(join(SCHEMA, 'events.asyncapi.yaml'), 'utf8')

type Json = Record<string, unknown>
const document = parse(TEXT)

/** Closes each object that names its members, so that a member that the document does not name is a fault. */
const closed = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]))
  return 'properties' in copy && 'type' in copy && !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema({ $id: 'events', components: closed(document.components) as Json })

/** Faults of a value by a schema of the document. */
const faultsOf = (schema: string, value: unknown): string[] => {
  const validate = ajv.getSchema(`events#/components/schemas/${schema}`)!
  validate(value)
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  )
}

let stack: Stack
let receiver: Receiver
let token: string
beforeAll(async () => {
  stack = await startStack({ env: { WEBHOOK_ALLOW: '127.0.0.1' } })
  await stack.settled()
  receiver = await startReceiver()
  token = await stack.token('demo-partner')
  const graph = createGraph(stack.address)
  await graph('mutation { rotateWebhookSecret(overlapHours: 24) { secret } }', { token })
})
afterAll(async () => {
  await stack[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const post = async ({ path, body }: ServiceFixture, more: object = {}) => {
  const { status, text } = await createRest(stack.address)('POST', path, {
    token,
    body: { ...body(), ...more },
  })
  expect([status, text]).toEqual([201, expect.any(String)])
  await stack.settled()
}

const latestCursor = async (): Promise<string> =>
  (await createGraph(stack.address)('{ latestEventCursor }', { token })).data.latestEventCursor

it('ASYNC-01 MUST be sound by the parser of AsyncAPI', async () => {
  const { document: parsed, diagnostics } = await new Parser().parse(TEXT)
  expect(diagnostics.filter(({ severity }) => severity <= DiagnosticSeverity.Warning)).toEqual([])
  const operations = parsed!.operations().all()
  expect(operations.map(one => one.id())).toEqual(Object.keys(document.operations))
})

it('ASYNC-02 MUST be served without a token', async () => {
  const response = await fetch(`${stack.address}/asyncapi.yaml`)
  expect(response.headers.get('content-type')).toBe('application/yaml; charset=utf-8')
  expect(await response.text()).toBe(TEXT)
})

describe('webhooks', () => {
  const called = FIXTURES.filter(({ name }) => name !== 'messaging')

  it.each(called)('ASYNC-03 MUST describe body and headers of a webhook: $kind', async fixture => {
    await post(fixture, { webhook: { notificationUrl: receiver.url, notificationAuthToken: 'secret' } })
    await stack.server.deliverer.idle()
    const { body, headers } = receiver.received.at(-1)!
    expect(body.event.eventDetail).toHaveProperty(fixture.idField)
    expect(faultsOf(`${fixture.typename}EventNotification`, body)).toEqual([])
    const { properties } = document.components.schemas.WebhookHeaders
    const described = Object.entries(headers).filter(([name]) => name in properties)
    expect(described.map(([name]) => name).toSorted()).toEqual(Object.keys(properties).toSorted())
    expect(faultsOf('WebhookHeaders', Object.fromEntries(described))).toEqual([])
    for (const other of called.filter(({ kind }) => kind !== fixture.kind))
      expect(faultsOf(`${other.typename}EventNotification`, body)).not.toEqual([])
  })
})

/** A subscription with every field of each kind of event, and its entity. */
const subscriptionOf = ({ typename, idField }: ServiceFixture) => `subscription ($after: String) {
  ${typename.toLowerCase()}Events(after: $after) {
    __typename cursor eventid eventType eventTime
    eventDetail { ${idField} clientCorrelatorId status description paymentDate }
    ${typename.toLowerCase()} { id outcome }
  }
}`
const OVER_ALL = `subscription ($after: String) {
  transactionEvents(after: $after) {
    __typename cursor eventid eventType eventTime kind status description transaction { id outcome }
  }
}`

interface Message {
  readonly type: string
  readonly id?: string
}

/** Talks over a raw socket until a message satisfies; checks every message both ways by the schema of its type. */
const talk = async (sent: readonly Message[], isLast: (message: Message) => boolean) => {
  const socket = new WebSocket(`${stack.address.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  const seen: Message[] = []
  const faults: string[] = []
  const check = (message: Message) => {
    const name = message.type.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
    faults.push(...faultsOf(name, message))
    seen.push(message)
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const send = (message: Message) => {
    check(message)
    socket.send(JSON.stringify(message))
  }
  socket.on('open', () =>
    send({ type: 'connection_init', payload: { Authorization: `Bearer ${token}` } } as Message),
  )
  socket.on('message', data => {
    const message = JSON.parse(`${data}`)
    check(message)
    if (message.type === 'connection_ack') for (const one of sent) send(one)
    if (isLast(message)) resolve()
  })
  socket.on('close', (code, reason) => reject(new Error(`closed with ${code}: ${reason}`)))
  await promise.finally(() => socket.terminate())
  expect(faults).toEqual([])
  return seen.map(({ type }) => type)
}

const subscribe = (query: string, after: string, id = '1') =>
  ({ id, type: 'subscribe', payload: { query, variables: { after } } }) as Message

describe('subscriptions', () => {
  it.each(FIXTURES)('ASYNC-04 MUST describe the events of a kind over WebSocket: $kind', async fixture => {
    const after = await latestCursor()
    await post(fixture)
    const types = await talk([subscribe(subscriptionOf(fixture), after)], ({ type }) => type === 'next')
    expect(types).toEqual(['connection_init', 'connection_ack', 'subscribe', 'next'])
  })

  it('ASYNC-05 MUST describe every other message of the socket', async () => {
    const refused = subscribe('subscription { nothing }', '', '2')
    const types = await talk([{ type: 'ping' }, refused], ({ type }) => type === 'error')
    expect(types.toSorted()).toEqual([
      'connection_ack',
      'connection_init',
      'error',
      'ping',
      'pong',
      'subscribe',
    ])
  })

  it('ASYNC-06 MUST describe the messages of a stream of server-sent events', async () => {
    const after = await latestCursor()
    await post(FIXTURES[0]!)
    const request = { query: OVER_ALL, variables: { after } }
    expect(faultsOf('Operation', request)).toEqual([])
    const cut = new AbortController()
    const response = await fetch(`${stack.address}/graphql/stream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal: cut.signal,
    })
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk, { stream: true })
      if (/data: .*\n\n/.test(text)) break
    }
    cut.abort()
    const [, event, data] = /^event: (\w+)\ndata: (.*)$/m.exec(text)!
    expect(event).toBe('next')
    const result = JSON.parse(data!)
    expect(result.data.transactionEvents.cursor).toEqual(expect.any(String))
    expect(faultsOf('Result', result)).toEqual([])
  })

  it('ASYNC-07 MUST know every field of the events of the graph, and no other', () => {
    const schema = buildSchema(readFileSync(join(SCHEMA, 'api.graphql'), 'utf8'))
    const names = [
      'TransactionEvent',
      ...FIXTURES.flatMap(({ typename }) => [`${typename}Event`, `${typename}EventDetail`]),
    ]
    for (const name of names) {
      const fields = Object.keys((schema.getType(name) as GraphQLObjectType).getFields())
      const described = Object.keys(document.components.schemas[name].properties)
      expect([name, described.filter(one => one !== '__typename').toSorted()]).toEqual([
        name,
        fields.toSorted(),
      ])
    }
  })
})

describe.skipIf(!existsSync(join(SCHEMA, 'partner.openapi.yaml')))('long poll', () => {
  it('ASYNC-08 MUST describe an answer of the long poll', async () => {
    const after = await latestCursor()
    for (const fixture of FIXTURES) await post(fixture)
    const response = await fetch(`${stack.address}/partner/v1/events?after=${after}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const page = (await response.json()) as { events: { kind: string }[] }
    expect(faultsOf('EventPage', page)).toEqual([])
    const kinds = new Set(page.events.map(({ kind }) => kind))
    expect([...kinds].toSorted()).toEqual(FIXTURES.map(({ kind }) => kind).toSorted())
  })
})
