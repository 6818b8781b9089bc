/** A run in which every secret that a client can have is sent over every interface, in requests that are accepted and in those that are refused. */
import { hashSecret } from '#core/access/secrets.ts'
import type { Receiver } from '#test/core/webhooks/receiver.ts'
import { mutationOf } from '../../support/both-interfaces.ts'
import { withField } from '../../support/fields.ts'
import { FIXTURES } from '../../support/fixtures/all.ts'
import { type Body, CARD, type ServiceFixture } from '../../support/fixtures/fixture.ts'
import type { Stack } from '../../support/stack.ts'
import { subscribeSse } from '../../support/subscribe.ts'

export const CALLBACK_TOKEN = 'callback-7f3a-distinct-5151'

/** By name, so that a failure can say which without saying it. */
export const SECRETS: Readonly<Record<string, string>> = {
  cardNumber: '5555341244441115',
  otherCardNumber: '378282246310005',
  cvv: '8362719',
  callbackToken: CALLBACK_TOKEN,
  clientSecret: 'client-secret-distinct-90210',
  wrongSecret: 'wrong-secret-distinct-41414',
  strayToken: 'stray-token-distinct-72727',
}

/** The responses. */
export interface Spoken {
  readonly answers: string[]
  readonly events: string[]
  readonly metrics: string
  /** The signatures of the access tokens that were issued; a token's claims are no secret. */
  readonly tokens: Record<string, string>
}

const CLIENT = 'secret-partner'

const bodyFor = (fixture: ServiceFixture, url: string, cardNumber: string): Body => {
  const body = withField(fixture.body(), 'webhook', {
    notificationUrl: url,
    notificationAuthToken: CALLBACK_TOKEN,
  })
  return fixture.card ? withField(body, fixture.card, { ...CARD, cardNumber, cvv: SECRETS['cvv'] }) : body
}

/** Ways for a body to be refused, each with its secrets in it. */
const refused = (fixture: ServiceFixture, body: Body): string[] => [
  JSON.stringify(withField(body, fixture.phone, '96899999999')),
  JSON.stringify(withField(body, fixture.correlator, 42)),
  JSON.stringify(withField(body, 'webhook.notificationUrl', SECRETS['callbackToken'])),
  JSON.stringify(body).slice(0, -9),
  JSON.stringify([body]),
]

/** Calls a server and keeps what it said. */
const createCaller =
  (address: string, responses: string[]) =>
  async (path: string, init: RequestInit & { token?: string }): Promise<string> => {
    const { token, headers, ...rest } = init
    const response = await fetch(address + path, {
      ...rest,
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(headers as object),
      },
    })
    const text = await response.text()
    responses.push(JSON.stringify([...response.headers]) + text)
    return text
  }

type Call = ReturnType<typeof createCaller>

const sayAll = async (call: Call, fixture: ServiceFixture, url: string, token: string) => {
  const post = (body: string, given = token) => call(fixture.path, { method: 'POST', body, token: given })
  const graph = (input: unknown) =>
    call('/graphql', {
      method: 'POST',
      token,
      body: JSON.stringify({ query: mutationOf(fixture), variables: { input } }),
    })
  await post(JSON.stringify(bodyFor(fixture, url, SECRETS['cardNumber']!)))
  await graph(bodyFor(fixture, url, SECRETS['otherCardNumber']!))
  for (const body of refused(fixture, bodyFor(fixture, url, SECRETS['cardNumber']!))) await post(body)
  await graph(withField(bodyFor(fixture, url, SECRETS['otherCardNumber']!), fixture.correlator, { a: 1 }))
  await post(JSON.stringify(bodyFor(fixture, url, SECRETS['cardNumber']!)), SECRETS['strayToken'])
  await call(fixture.path, { token })
}

const requestToken = (call: Call, secret: string) =>
  call('/oauth2/accesstoken', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: CLIENT,
      client_secret: secret,
    }).toString(),
  })

const eventsAfter = (cursor: string) =>
  `subscription { transactionEvents(after: "${cursor}") { cursor eventid eventType transaction { id referenceCode webhookDeliveries { lastError } } } }`

/** Posts over every interface, follows what comes of it, and asks for the metrics at the end. */
export async function runWithSecrets(stack: Stack, receiver: Receiver): Promise<Spoken> {
  const responses: string[] = []
  const call = createCaller(stack.address, responses)
  await stack.token({ id: CLIENT, role: 'partner', dummyCards: true })
  const secretHash = await hashSecret(SECRETS['clientSecret']!)
  await stack.app.db.client.update({ where: { id: CLIENT }, data: { secretHash } })
  await requestToken(call, SECRETS['wrongSecret']!)
  const issued = JSON.parse(await requestToken(call, SECRETS['clientSecret']!)) as { access_token?: string }
  const token = issued.access_token ?? (await stack.token(CLIENT))
  // The response that hands the token over is the only one that may hold it.
  if (issued.access_token) responses.pop()
  const query = JSON.stringify({ query: '{ latestEventCursor }' })
  const { data } = JSON.parse(await call('/graphql', { method: 'POST', token, body: query }))
  for (const fixture of FIXTURES) await sayAll(call, fixture, receiver.url, token)
  await stack.settled()
  await stack.server.deliverer.idle()
  using stream = subscribeSse(`${stack.address}/graphql/stream`, token, eventsAfter(data.latestEventCursor))
  const events = (await stream.take(FIXTURES.length)).map(one => JSON.stringify(one))
  const metrics = await (await fetch(`${stack.address}/metrics`)).text()
  return { answers: responses, events, metrics, tokens: { accessToken: token.split('.')[2]! } }
}
