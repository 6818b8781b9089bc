/** A partner that posts payments without a pause, to servers in rotation, as a load balancer passes them on. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

/** Most times that a request whose connection was cut is sent again: each of the parallel requests may keep one. */
const REPEATS = 10

const PAYMENTS = '/postpaid-billing/v1/payments'

/** Gets a demo client's token. */
export const tokenAt = async (address: string, id = 'demo-partner'): Promise<string> => {
  const response = await fetch(`${address}/oauth2/accesstoken`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${id}-secret`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  if (!response.ok) throw new Error(`no token: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { access_token: string }).access_token
}

/** Receiver of webhooks on this machine. */
export interface Receiver extends Disposable {
  readonly url: string
  /** `Authorization` of each webhook, by the transaction that it is of. */
  readonly received: ReadonlyMap<string, string | undefined>
}

export async function startReceiver(): Promise<Receiver> {
  const received = new Map<string, string | undefined>()
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray()
    const { eventSubscriptionid } = JSON.parse(Buffer.concat(chunks).toString())
    received.set(eventSubscriptionid, request.headers.authorization)
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    [Symbol.dispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

export interface SteadyLoad {
  /** Ids of payments whose 201 arrived. */
  readonly answered: ReadonlySet<string>
  /** Everything that was no 201. */
  readonly faults: readonly string[]
  /** Waits until so many more were answered. */
  more(count: number): Promise<void>
  stop(): Promise<void>
}

export interface LoadOptions {
  /** Servers in rotation at this moment. */
  addresses(): readonly string[]
  /** Gives the token of a request. */
  token(address: string): Promise<string>
  /** Where webhooks go, with the callback token of each payment, made of its correlator. */
  readonly notificationUrl?: string
  readonly parallel?: number
  /** Whether a request whose connection was cut is sent again, as a partner does: a repeat is told the first's id. */
  readonly repeats?: boolean
}

/** Callback token of the payment with this correlator. */
export const callbackToken = (correlator: string): string => `callback-${correlator}`

const bodyOf = (clientCorrelatorId: string, notificationUrl: string | undefined) => ({
  paymentTransaction: {
    clientCorrelatorId,
    referenceCode: clientCorrelatorId.slice(0, 20),
    customerInfo: { customerAccountNumber: '100002', phoneNumber: '91000002' },
    paymentInfo: { paymentInformation: { amount: 0.001, currency: 'OMR', description: 'steady' } },
  },
  ...(notificationUrl && {
    webhook: { notificationUrl, notificationAuthToken: callbackToken(clientCorrelatorId) },
  }),
})

/** Begins to post, until stopped. */
export function startSteadyLoad(options: LoadOptions): SteadyLoad {
  const { addresses, token, notificationUrl, parallel = 4, repeats = false } = options
  const answered = new Set<string>()
  const faults: string[] = []
  let stopped = false
  let turn = 0
  const post = async (correlator: string) => {
    const all = addresses()
    const address = all[turn++ % all.length]!
    const response = await fetch(address + PAYMENTS, {
      method: 'POST',
      headers: { authorization: `Bearer ${await token(address)}`, 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(correlator, notificationUrl)),
    })
    const text = await response.text()
    const first = response.headers.get('location')
    if (response.status === 201) answered.add(JSON.parse(text).paymentId)
    else if (repeats && response.status === 400 && first) answered.add(first.split('/').at(-1)!)
    else faults.push(`${response.status} ${text}`)
  }
  const note = (error: Error & { cause?: Error }): void => {
    faults.push(`${error.message} ${error.cause?.message ?? ''}`)
  }
  const postOnce = async () => {
    const correlator = randomUUID()
    // More than one pooled connection may have ended with one server, so one repeat is not enough.
    for (let left = repeats ? REPEATS : 0; left > 0; left -= 1) {
      const failed = await post(correlator).then(
        () => false,
        () => true,
      )
      if (!failed) return
    }
    await post(correlator)
  }
  const loop = async () => {
    while (!stopped) await postOnce().catch(note)
  }
  const loops = Array.from({ length: parallel }, loop)
  return {
    answered,
    faults,
    async more(count) {
      const until = answered.size + count
      while (answered.size < until && faults.length < until)
        await new Promise(resolve => setImmediate(resolve))
    },
    async stop() {
      stopped = true
      await Promise.all(loops)
    },
  }
}
