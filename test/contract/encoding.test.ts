/**
 * Requests are UTF-8, read strictly: a byte that is none is refused by name at every door, nothing is replaced
 * and nothing is written (docs/decisions.md, "Values").
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { signatureHeaders } from '#core/webhooks/message.ts'
import { exchange, requestText } from '#test/core/http/raw.ts'
import { mutationOf } from '../support/both-interfaces.ts'
import { CALLBACK_SECRET } from '../support/charging-simulator.ts'
import { withField } from '../support/fields.ts'
import { FIXTURES, READABLE } from '../support/fixtures/all.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { type LoneSubgraph, serveSubgraph } from '../support/subgraph.ts'

let stack: Stack
let token: string
let port: LoneSubgraph
beforeAll(async () => {
  stack = await startStack({
    env: {
      CHARGING: 'http',
      CHARGING_URL: 'http://127.0.0.1:9',
      CHARGING_TOKEN: 'none-listens-there',
      CHARGING_CALLBACK_SECRET: CALLBACK_SECRET,
      LOG_LEVEL: 'silent',
    },
  })
  port = await serveSubgraph(stack.app, 'postpaid-billing')
  token = await stack.token()
})
afterAll(async () => {
  await port?.[Symbol.asyncDispose]()
  await stack?.[Symbol.asyncDispose]()
})

/** Stands where the wrong bytes will. */
const MARK = '@@@@'

/** Bytes that are not UTF-8, each by a rule of its own (Unicode 16, table 3-7). */
const WRONG: Record<string, number[]> = {
  'windows-1256': [0xe3, 0xd1, 0xcd, 0xc8],
  'a continuation alone': [0x80],
  'an overlong form': [0xc0, 0xaf],
  'a surrogate': [0xed, 0xa0, 0x80],
  'beyond U+10FFFF': [0xf4, 0x90, 0x80, 0x80],
  'a cut character': [0xe2, 0x82],
}

const withBytes = (text: string, bytes: readonly number[]): Buffer<ArrayBuffer> => {
  const [before, after] = text.split(MARK)
  return Buffer.concat([Buffer.from(before!), Buffer.from(bytes), Buffer.from(after!)])
}

interface Door {
  readonly name: string
  readonly path: string
  /** Where it stands; the product unless given. */
  readonly at?: () => string
  readonly body: string
  readonly headers?: Record<string, string>
}

const [payment] = FIXTURES
const operation = () =>
  JSON.stringify({
    query: mutationOf(payment!),
    variables: { input: withField(payment!.body(), payment!.correlator, MARK) },
  })

const BODIES: readonly Door[] = [
  ...FIXTURES.map(({ path, body, correlator }) => ({
    name: `POST ${path}`,
    path,
    body: JSON.stringify(withField(body(), correlator, MARK)),
  })),
  {
    name: 'a field that is ignored',
    path: payment!.path,
    body: JSON.stringify({ ...payment!.body(), ignored: MARK }),
  },
  { name: 'a name', path: payment!.path, body: JSON.stringify({ ...payment!.body(), [MARK]: 1 }) },
  { name: 'POST /graphql', path: '/graphql', body: operation() },
  {
    name: 'POST /graphql, as a stream',
    path: '/graphql',
    body: operation(),
    headers: { accept: 'text/event-stream' },
  },
  { name: 'POST /graphql/stream', path: '/graphql/stream', body: operation() },
  { name: "POST /graphql at a service's port", path: '/graphql', at: () => port.address, body: operation() },
]

const send = ({ path, headers, at = () => stack.address }: Door, body: Buffer<ArrayBuffer>) =>
  fetch(at() + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body,
  })

const messageOf = (body: { message?: string; errors?: { message: string }[] }) =>
  body.message ?? body.errors?.[0]?.message

const count = async () => {
  const counts = FIXTURES.map(({ table }) => `SELECT count(*) FROM ${table}`).map(one => `(${one})`)
  const [row] = await stack.app.db.$queryRawUnsafe<{ sum: bigint }[]>(`SELECT ${counts.join(' + ')} AS sum`)
  return row!.sum
}

/** Every door is tried with text of another encoding, and the first with every kind of wrong bytes. */
const cases = <Door>(doors: readonly Door[]) => [
  ...doors.map(door => ['windows-1256', door] as const),
  ...Object.keys(WRONG).map(what => [what, doors[0]!] as const),
]

it.each(cases(BODIES).map(([what, door]) => [what, door.name, door] as const))(
  'ENCODING-01 MUST be refused by name, and nothing written: %s, %s',
  async (what, _, door) => {
    const before = await count()
    const response = await send(door, withBytes(door.body, WRONG[what]!))
    expect(response.status).toBe(400)
    const message = messageOf((await response.json()) as object)
    expect(message).toContain('must be encoded in UTF-8')
    expect(message).toContain(`position ${door.body.indexOf(MARK)} `)
    expect(await count()).toBe(before)
  },
)

describe('a charging system calls back', () => {
  const post = (body: Buffer<ArrayBuffer>, signed: Buffer<ArrayBuffer>) => {
    const headers = signatureHeaders('id-1', signed, [CALLBACK_SECRET], Date.now())
    return send({ name: '', path: '/charging/callbacks', body: '', headers }, body)
  }
  const body = withBytes(`{"transactionId":"${MARK}"}`, WRONG['windows-1256']!)

  it('ENCODING-02 MUST refuse by name what was signed', async () => {
    const response = await post(body, body)
    expect(response.status).toBe(400)
    expect(messageOf((await response.json()) as object)).toContain('must be encoded in UTF-8')
  })

  it('ENCODING-03 MUST hold the signature against the bytes, not what could be made of them', async () => {
    const response = await post(body, Buffer.from(body.toString('utf8')))
    expect(response.status).toBe(401)
  })
})

describe('a byte order mark', () => {
  it.each(BODIES.slice(0, FIXTURES.length))('ENCODING-04 MUST be ignored: $name', async door => {
    const text = door.body.replace(MARK, crypto.randomUUID().slice(0, 18))
    const response = await send(door, Buffer.from(`\ufeff${text}`))
    expect(response.status).toBe(201)
  })
})

const requestToken = (body: Buffer<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(`${stack.address}/oauth2/accesstoken`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  })

const FORM = `grant_type=client_credentials&client_id=demo-partner&client_secret=${MARK}`
const basic = (bytes: number[]) => `Basic ${withBytes(`demo-partner:${MARK}`, bytes).toString('base64')}`

const percentEncoded = (bytes: readonly number[]) => bytes.map(byte => `%${byte.toString(16)}`).join('')

describe.each(Object.entries(WRONG))('%s', (_, bytes) => {
  it('ENCODING-05 MUST be refused by name in the form of a token request', async () => {
    for (const body of [withBytes(FORM, bytes), Buffer.from(FORM.replace(MARK, percentEncoded(bytes)))]) {
      const response = await requestToken(body)
      expect(response.status).toBe(400)
      const { error, error_description } = (await response.json()) as Record<string, string>
      expect(error).toBe('invalid_request')
      expect(error_description).toContain('UTF-8')
    }
  })

  it('ENCODING-06 MUST be refused by name in the credentials of a token request', async () => {
    const form = Buffer.from('grant_type=client_credentials')
    const response = await requestToken(form, { authorization: basic(bytes) })
    expect(response.status).toBe(401)
    const { error, error_description } = (await response.json()) as Record<string, string>
    expect(error).toBe('invalid_client')
    expect(error_description).toContain('UTF-8')
  })

  it('ENCODING-09 MUST close a WebSocket, be the message text or bytes', async () => {
    for (const binary of [false, true]) {
      const socket = new WebSocket(`${stack.address.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
      const closed = new Promise<number>(done => socket.once('close', done))
      await new Promise(done => socket.once('open', done))
      socket.send(withBytes(`{"type":"connection_init","payload":{"a":"${MARK}"}}`, bytes), { binary })
      expect(await closed).toBe(1007)
    }
  })
})

type ParameterDoor = readonly [path: string, parameter: string, code: string, at?: () => string]

const INQUIRY = '/postpaid-billing/v1/customers'
const QUERIES: readonly ParameterDoor[] = [
  ...READABLE.map(({ path }) => [path, 'clientCorrelatorId', 'OUT_OF_RANGE'] as const),
  ...['fromDate', 'toDate', 'page', 'perPage', 'seek'].map(
    name => [payment!.path, name, 'OUT_OF_RANGE'] as const,
  ),
  ...['phoneNumber', 'fixedlineNumber', 'internetAccount', 'customerAccountNumber'].map(
    name => [INQUIRY, name, 'INVALID_ARGUMENT'] as const,
  ),
  ['/exports/timeline.csv', 'text', 'INVALID_ARGUMENT'],
  ['/graphql', 'query', 'INVALID_ARGUMENT'],
  ['/graphql/stream', 'query', 'INVALID_ARGUMENT'],
  ['/graphql', 'query', 'INVALID_ARGUMENT', () => port.address],
]

it.each(cases(QUERIES).map(([what, [path, name, ...rest]]) => [what, path, name, ...rest] as const))(
  'ENCODING-07 MUST be refused by name in a query: %s, %s?%s',
  async (what, path, name, code, at) => {
    const address = (at ?? (() => stack.address))()
    const headers = { authorization: `Bearer ${token}`, 'apollo-require-preflight': '1' }
    const response = await fetch(`${address}${path}?${name}=a${percentEncoded(WRONG[what]!)}`, { headers })
    expect(response.status).toBe(400)
    const body = (await response.json()) as {
      code?: string
      errors?: { message: string; extensions: { code: string } }[]
    }
    expect(body.code ?? body.errors?.[0]?.extensions.code).toBe(code)
    expect(messageOf(body)).toContain(`${name} must be percent-encoded UTF-8`)
  },
)

it('ENCODING-08 MUST refuse a query whose bytes are not percent-encoded', async () => {
  const line = `GET ${payment!.path}?clientCorrelatorId=\u00e9`
  const text = requestText(line, { authorization: `Bearer ${token}`, connection: 'close' })
  expect((await exchange(stack.address, Buffer.from(text, 'latin1'))).status).toBe(400)
})

describe('a query', () => {
  const list = (query: string) =>
    fetch(`${stack.address}${payment!.path}?${query}`, { headers: { authorization: `Bearer ${token}` } })

  it('ENCODING-10 MAY hold in a parameter that is ignored what is not UTF-8', async () => {
    expect((await list('surprise=%E9')).status).toBe(200)
    expect((await list('clientCorrelatorId=none&fromDate=%E9')).status).toBe(200)
  })

  it('ENCODING-11 MUST find what was posted under a correlator of any script', async () => {
    const correlator = 'فاتورة 100% +é'
    const body = withField(payment!.body(), payment!.correlator, correlator)
    expect((await send({ ...BODIES[0]! }, Buffer.from(JSON.stringify(body)))).status).toBe(201)
    const found = await list(`clientCorrelatorId=${encodeURIComponent(correlator)}`)
    expect(await found.json()).toHaveLength(1)
    // As browsers write it: blanks as plus, a percent sign that begins no code as it is.
    const asForm = encodeURIComponent(correlator).replaceAll('%20', '+').replace('%25', '%')
    expect(await (await list(`clientCorrelatorId=${asForm}`)).json()).toHaveLength(1)
  })
})
