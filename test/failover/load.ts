/**
 * Partners and readers of several servers while the database behind them fails over. A partner repeats a payment with its
 * correlator until it is told what became of it, as the contract asks.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { bearer } from '#test/support/subscribe.ts'

const PAYMENTS = '/postpaid-billing/v1/payments'
const QUERY = '{ subscriber(mobileNumber: "+96891000002") { timeline(first: 3) { nodes { kind } } } }'

/** Between two requests of one client, so that two shared processors are not the limit. */
const PAUSE_MS = 40
/** Longer than the program may take: an answer that does not come is a fault. */
const PATIENCE_MS = 20_000

/** A server under load. */
export interface LoadedServer {
  readonly name: string
  readonly address: string
  readonly partner: string
  readonly portal: string
}

/** The load, and what came of it. */
export interface FailoverLoad {
  /** Ids of payments that partners were told of, by their correlators. */
  readonly told: ReadonlyMap<string, string>
  /** How many answers of each status there were. */
  readonly statuses: ReadonlyMap<number, number>
  /** Everything that must not be. */
  readonly faults: readonly string[]
  /**
   * Waits until every server has acknowledged a payment that was posted after a moment of `performance.now()`.
   * @returns when each did. @throws Error at the first fault.
   */
  fresh(since: number): Promise<ReadonlyMap<string, number>>
  stop(): Promise<void>
}

const bodyOf = (clientCorrelatorId: string, notificationUrl: string) => ({
  paymentTransaction: {
    clientCorrelatorId,
    referenceCode: 'failover',
    customerInfo: { customerAccountNumber: '100002', phoneNumber: '91000002' },
    paymentInfo: { paymentInformation: { amount: 0.001, currency: 'OMR', description: 'failover' } },
  },
  webhook: { notificationUrl, notificationAuthToken: 'told' },
})

/** An attempt that said that nothing was written, which a repeat must not contradict. */
const SAYS_NOTHING = 504
const MAY_BE = new Set([200, 201, 400, 503, SAYS_NOTHING])

/** Begins to post to all servers and to read from them, until stopped. */
export function startFailoverLoad(servers: readonly LoadedServer[], notificationUrl: string): FailoverLoad {
  const told = new Map<string, string>()
  const statuses = new Map<number, number>()
  const faults: string[] = []
  const acknowledged = new Map<string, { readonly began: number; readonly at: number }>()
  let stopped = false

  const call = async (
    { name, address }: LoadedServer,
    path: string,
    token: string,
    init: RequestInit = {},
  ) => {
    const response = await fetch(address + path, {
      ...init,
      headers: { 'content-type': 'application/json', ...bearer(token) },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const text = await response.text()
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    if (!MAY_BE.has(response.status)) faults.push(`${name} ${path} ${response.status} ${text}`)
    return { status: response.status, text, first: response.headers.get('location') }
  }
  const acknowledge = ({ name }: LoadedServer, began: number) =>
    acknowledged.set(name, { began, at: performance.now() })
  /** Checks that another server shows at once what a partner was told of, whoever does its reads. */
  const checkShown = async (server: LoadedServer, correlator: string) => {
    const other = servers[(servers.indexOf(server) + 1) % servers.length]!
    const { status, text } = await call(other, `${PAYMENTS}?clientCorrelatorId=${correlator}`, other.partner)
    const id = told.get(correlator)!
    if (status === 200 && !text.includes(id)) faults.push(`${other.name} does not show ${id}: ${text}`)
  }
  /** Posts one payment until it is told what became of it. */
  const post = async (server: LoadedServer) => {
    const correlator = randomUUID()
    const body = JSON.stringify(bodyOf(correlator, notificationUrl))
    const before: number[] = []
    while (!stopped) {
      const began = performance.now()
      const { status, text, first } = await call(server, PAYMENTS, server.partner, { method: 'POST', body })
      if (status === 201 || first) {
        if (before.length > 0 && status !== 201 && before.every(one => one === SAYS_NOTHING))
          faults.push(`${server.name}: after ${before} the payment was there: ${text}`)
        told.set(correlator, status === 201 ? JSON.parse(text).paymentId : first!.split('/').at(-1)!)
        acknowledge(server, began)
        await checkShown(server, correlator)
        return
      }
      if (status === 400) faults.push(`${server.name}: refused after ${before}: ${text}`)
      before.push(status)
      await delay(PAUSE_MS)
    }
  }
  const read = async (server: LoadedServer) => {
    await call(server, `${PAYMENTS}?perPage=20`, server.partner)
    const body = JSON.stringify({ query: QUERY })
    const { text } = await call(server, '/graphql', server.portal, { method: 'POST', body })
    const { errors = [] } = JSON.parse(text) as { errors?: { extensions?: { code?: string } }[] }
    for (const error of errors)
      if (!['SERVICE_UNAVAILABLE', 'REQUEST_TIMEOUT_EXCEEDED'].includes(error.extensions?.code ?? ''))
        faults.push(`${server.name} graph: ${JSON.stringify(error)}`)
  }
  const loop = async (server: LoadedServer, work: (server: LoadedServer) => Promise<void>) => {
    while (!stopped) {
      await work(server).catch(error =>
        faults.push(`${server.name}: ${error.message} ${error.cause?.message ?? ''}`),
      )
      await delay(PAUSE_MS)
    }
  }
  const loops = servers.flatMap(server => [loop(server, post), loop(server, post), loop(server, read)])
  return {
    told,
    statuses,
    faults,
    async fresh(since) {
      const found = new Map<string, number>()
      while (found.size < servers.length) {
        for (const [name, { began, at }] of acknowledged)
          if (began >= since && !found.has(name)) found.set(name, at)
        if (faults.length > 0) throw new Error(faults.slice(0, 5).join('\n'))
        await delay(5)
      }
      return found
    },
    async stop() {
      stopped = true
      await Promise.all(loops)
    },
  }
}
