/** The three ways through the program that a newcomer follows first, each as a client walks it. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { projectPath } from '#core/config/project-files.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { bearer, connect } from '../support/subscribe.ts'

/** A way, walked again and again with the same result. */
export interface Walk {
  readonly title: string
  /** The most files and executed lines that it may take. */
  readonly limit: { readonly files: number; readonly lines: number }
  /** Does what has to have happened before a client sets out; not a part of the way. */
  prepare?(): Promise<void>
  walk(): Promise<void>
}

const CUSTOMER_360 = readFileSync(projectPath('schema/operations/customer-360.graphql'), 'utf8')
const GATHERED_MS = 100
const EVENTS =
  'subscription($after: String) { paymentEvents(after: $after) { cursor payment { paymentId } } }'

// biome-ignore lint/suspicious/noExplicitAny: what a client reads from JSON
type Answer = { data: any; errors?: unknown }

/** A receiver of webhooks; `arrived` resolves with the next one. */
const openReceiver = async () => {
  let take = () => {}
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end(() => take()))
  })
  await new Promise<void>(done => receiver.listen(0, '127.0.0.1', done))
  const { port } = receiver.address() as { port: number }
  return {
    port,
    arrived: () => new Promise<void>(done => (take = done)),
    [Symbol.dispose]: () => {
      receiver.closeAllConnections()
      receiver.close()
    },
  }
}

const createPoster = (stack: Stack, token: string, port: number) => {
  let posted = 0
  return async () => {
    const paymentTransaction = {
      clientCorrelatorId: `way-${++posted}`,
      referenceCode: `W-${posted}`,
      customerInfo: { customerAccountNumber: '100002', phoneNumber: '91000002' },
      paymentInfo: { paymentInformation: { amount: 1, currency: 'OMR', description: 'Bill' } },
    }
    const webhook = { notificationUrl: `http://127.0.0.1:${port}/hooks`, notificationAuthToken: 'secret' }
    const response = await fetch(`${stack.address}/postpaid-billing/v1/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ paymentTransaction, webhook }),
    })
    if (response.status !== 201) throw new Error(await response.text())
  }
}

/** Starts the program and gives the ways; dispose of it in the end. */
export async function openWalks(): Promise<{ walks: readonly Walk[] } & AsyncDisposable> {
  await using opened = new AsyncDisposableStack()
  const receiver = opened.use(await openReceiver())
  const stack = opened.use(
    await startStack({ env: { WEBHOOK_ALLOW: `127.0.0.1:${receiver.port}`, STORED_ANSWERS_MIB: '0' } }),
  )
  const [partner, portal] = [await stack.token(), await stack.token('demo-portal')]
  const post = createPoster(stack, partner, receiver.port)
  const payment = async () => {
    const arrived = receiver.arrived()
    await post()
    await arrived
  }
  /** Waits for all that follows a webhook, so that nothing of it is left for the way that begins next. */
  const quiet = async () => {
    await stack.settled()
    await stack.server.deliverer.idle()
    // Workers gather what ended for some milliseconds before their last round.
    await delay(GATHERED_MS)
  }
  const graph = async (query: string, variables: object = {}) => {
    const response = await fetch(`${stack.address}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${portal}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    const { data, errors } = (await response.json()) as Answer
    if (errors) throw new Error(JSON.stringify(errors))
    return data
  }
  let after = (await graph('{ events(first: 1) { edges { cursor } } }')).events.edges[0]?.cursor
  const resume = async () => {
    using socket = connect(stack.address, bearer(portal))
    using events = socket.subscribe(EVENTS, { after })
    const { data, errors } = await events.next()
    if (errors) throw new Error(JSON.stringify(errors))
    after = data.paymentEvents.cursor
  }
  const kept = opened.move()
  return {
    walks: [
      {
        title: 'A payment, from its POST to its webhook',
        limit: { files: 82, lines: 5_500 },
        walk: payment,
      },
      {
        title: 'Customer-360, answered in one process',
        // One more than on a quiet machine: a slow walk lasts until its access records are written.
        limit: { files: 101, lines: 6_000 },
        prepare: quiet,
        walk: async () => void (await graph(CUSTOMER_360, { n: '+96891000002' })),
      },
      {
        title: 'A subscription that resumes over WebSocket',
        limit: { files: 76, lines: 5_000 },
        prepare: async () => {
          await payment()
          await quiet()
        },
        walk: resume,
      },
    ],
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
