/** The collection for Bruno: every request, read as Bruno reads it, is answered as it expects, also a second time. */
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { makeStatements } from '#subgraphs/activity/statements/make.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { postpaidBilling } from '#test/support/fixtures/postpaid-billing.ts'
import { createRest } from '#test/support/rest.ts'
import { type Stack, startStack } from '#test/support/stack.ts'

interface Item {
  readonly name: string
  readonly value: string
  readonly enabled?: boolean
  readonly type?: string
}

/** A request as Bruno's own parser reads it. */
interface BrunoRequest {
  readonly meta: { readonly name: string; readonly seq: string }
  readonly http: { readonly method: 'get' | 'post' | 'patch' | 'delete'; readonly url: string }
  readonly params?: readonly Item[]
  readonly body?: { readonly json: string }
  readonly vars?: { readonly res: readonly Item[] }
  readonly assertions: readonly Item[]
}

interface BrunoEnvironment {
  readonly variables: readonly (Item & { readonly secret: boolean })[]
}

const { bruToJsonV2, bruToEnvJsonV2, collectionBruToJson } = createRequire(import.meta.url)(
  '@usebruno/lang',
) as {
  bruToJsonV2(text: string): BrunoRequest
  bruToEnvJsonV2(text: string): BrunoEnvironment
  collectionBruToJson(text: string): { readonly auth: { readonly oauth2: Record<string, unknown> } }
}

const FOLDER = join(import.meta.dirname, '../../examples/bruno')
const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8')

const OTHERS = ['bruno.json', 'collection.bru', 'folder.bru']
const REQUESTS = globSync('*/*.bru', { cwd: FOLDER })
  .filter(file => !OTHERS.includes(basename(file)) && dirname(file) !== 'environments')
  .map(file => ({ file, request: bruToJsonV2(read(file)) }))
  .toSorted(
    (one, other) =>
      dirname(one.file).localeCompare(dirname(other.file)) ||
      Number(one.request.meta.seq) - Number(other.request.meta.seq),
  )
const SERVICES = [...new Set(REQUESTS.map(({ file }) => dirname(file)))].filter(name => name !== 'partner')

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack({ env: { WEBHOOK_ALLOW: '127.0.0.1' } })
  token = await stack.token('demo-partner')
})
afterAll(() => stack[Symbol.asyncDispose]())

/** Values of Bruno that change with each use, as long as Bruno's own at most. */
const dynamicOf = (name: string): string => {
  if (name === '$timestamp') return `${Date.now()}`
  if (name === '$randomInt') return `${Math.floor(Math.random() * 1_000)}`
  throw new Error(`no value for ${name}`)
}

const fill = (text: string, variables: Readonly<Record<string, string>>) =>
  text.replaceAll(/\{\{([^}]+)\}\}/g, (_, name: string) => variables[name] ?? dynamicOf(name))

it('COLLECTION-01 MUST sign in at the token endpoint, with the client of the environment', () => {
  const { oauth2 } = collectionBruToJson(read('collection.bru')).auth
  expect(oauth2).toMatchObject({
    grantType: 'client_credentials',
    accessTokenUrl: '{{address}}/oauth2/accesstoken',
    clientId: '{{clientId}}',
    clientSecret: '{{clientSecret}}',
    tokenHeaderPrefix: 'Bearer',
  })
  const valuesOf = (name: string) => bruToEnvJsonV2(read(`environments/${name}.bru`)).variables
  expect(valuesOf('demo').map(({ name }) => name)).toContain('clientSecret')
  expect(
    valuesOf('mine')
      .filter(({ secret }) => secret)
      .map(({ name }) => name),
  ).toEqual(['clientSecret'])
})

/** Sends the requests of a folder in their sequence, and takes from the responses what later requests name. */
async function sendAll(folder: string, variables: Record<string, string>, round = 0): Promise<void> {
  const rest = createRest(stack.address)
  for (const { file, request } of REQUESTS.filter(one => dirname(one.file) === folder)) {
    const { http, params = [], body, vars, assertions } = request
    const url = fill(http.url, variables).replaceAll(/:(\w+)/g, (_, name: string) =>
      fill(params.find(one => one.type === 'path' && one.name === name)!.value, variables),
    )
    const sent = body && JSON.parse(fill(body.json, variables))
    const response = await rest(http.method.toUpperCase() as 'GET', url, { token, body: sent })
    expect([file, round, `eq ${response.status}`, response.text]).toEqual([
      file,
      round,
      assertions[0]!.value,
      expect.any(String),
    ])
    for (const { name, value } of vars?.res ?? []) {
      variables[name] = response.body[value.replace('res.body.', '')]
      expect(variables[name]).toEqual(expect.any(String))
    }
  }
}

const NOTIFICATION_URL = 'http://127.0.0.1:9/none'

it.each(SERVICES)('COLLECTION-02 MUST be answered as expected, twice in a row: %s', async service => {
  const variables = { address: '', notificationUrl: NOTIFICATION_URL }
  for (let round = 0; round < 2; round++) await sendAll(service, variables, round)
})

it('COLLECTION-03 MUST be answered as expected, twice in a row: the tools of partners', async () => {
  const rest = createRest(stack.address)
  const posted = { ...postpaidBilling.body(), webhook: { notificationUrl: NOTIFICATION_URL } }
  const { body: payment } = await rest('POST', postpaidBilling.path, { token, body: posted })
  const id = payment.paymentId
  // Deliveries and statements are made by workers.
  const first = (path: string, list: string) =>
    vi.waitFor(
      async () => {
        const { body } = await rest('GET', `/partner/v1/${path}`, { token })
        expect(body[list], path).not.toEqual([])
        return body[list][0]
      },
      { timeout: 20_000, interval: 50 },
    )
  const delivery = await first(`deliveries?transactionId=${id}`, 'deliveries')
  // The day of the payment is not over: it becomes yesterday's, and its statement is made.
  await stack.settled()
  await stack.app.db
    .$executeRaw`UPDATE postpaid.payment SET created_at = created_at - interval '1 day' WHERE id = ${id}::uuid`
  await stack.app.db.$executeRaw`DELETE FROM activity.statement`
  await stack.app.db.$executeRaw`DELETE FROM activity.statement_progress`
  await makeStatements(stack.app, await loadKinds())
  const { date } = await first('statements', 'statements')
  const variables = {
    address: '',
    notificationUrl: NOTIFICATION_URL,
    transactionsId: id,
    deliveriesId: delivery.id,
    date,
  }
  for (let round = 0; round < 2; round++) await sendAll('partner', variables, round)
}, 120_000)
