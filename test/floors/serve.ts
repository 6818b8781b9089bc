/**
 * Starts the program of the tree that this file is in, posts one payment, and waits for its webhook and for the graph to
 * show it: `node test/floors/serve.ts [line of the log that the start must write]`.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startProcess } from '../support/process.ts'

const WITHIN_MS = 60_000
const [warning] = process.argv.slice(2)

const fail = (reason: string): never => {
  console.error(reason)
  process.exit(1)
}

const receiver = createServer()
await once(receiver.listen(0, '127.0.0.1'), 'listening')
const { port } = receiver.address() as AddressInfo
const server = await startProcess({ DATA_DIR: 'memory:', DEMO: '1', WEBHOOK_ALLOW: `127.0.0.1:${port}` })
setTimeout(() => fail(`no webhook within ${WITHIN_MS} ms`), WITHIN_MS).unref()

// biome-ignore lint/suspicious/noExplicitAny: what a client reads from JSON
const readJson = async (path: string, init: RequestInit): Promise<any> => {
  const response = await fetch(server.address + path, { ...init, method: 'POST' })
  if (!response.ok) fail(`POST ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}
const tokenOf = async (client: string): Promise<string> => {
  const { access_token: token } = await readJson('/oauth2/accesstoken', {
    headers: { authorization: `Basic ${btoa(`${client}:${client}-secret`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  return token
}
const postJson = async (path: string, client: string, body: object) =>
  readJson(path, {
    headers: { authorization: `Bearer ${await tokenOf(client)}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const arrived = once(receiver, 'request')
const { paymentId } = await postJson('/postpaid-billing/v1/payments', 'demo-partner', {
  paymentTransaction: {
    clientCorrelatorId: 'floors-1',
    referenceCode: 'F-1',
    customerInfo: { customerAccountNumber: '100002', phoneNumber: '91000002' },
    paymentInfo: { paymentInformation: { amount: 1, currency: 'OMR', description: 'Bill' } },
  },
  webhook: { notificationUrl: `http://127.0.0.1:${port}/hooks`, notificationAuthToken: 'secret' },
})
const [request, response] = await arrived
request.resume()
response.writeHead(204).end()

// The second request of a text would take the engine's fast path.
for (const _ of ['first', 'second']) {
  const query = '{ payments(first: 1) { nodes { paymentId transactionOperationStatus } } }'
  const { data } = await postJson('/graphql', 'demo-partner', { query })
  const [newest] = data?.payments.nodes ?? []
  if (newest?.paymentId !== paymentId || newest.transactionOperationStatus !== 'succeeded')
    fail(`the graph shows ${JSON.stringify(newest)} and not payment ${paymentId}`)
}

const status = await server.stop()
if (status !== 0) fail(`the program stopped with exit code ${status}`)
if (warning && !server.started.some(line => line.includes(warning)))
  fail(`the log lacks the line "${warning}"`)
receiver.close()
