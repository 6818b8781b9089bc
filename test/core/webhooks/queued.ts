/** Webhooks in plenty, appended as settling appends them, to receivers that go by names without any name server. */
import { randomUUID } from 'node:crypto'
import type { LookupAddress } from 'node:dns'
import type { Dispatcher } from 'undici'
import type { App } from '#core/context/app.ts'
import type { Statements } from '#core/data/db.ts'
import { originOf, readAllowList } from '#core/egress/callback-policy.ts'
import { createGuardedAgent } from '#core/egress/guarded-agent.ts'
import {
  appendEvents,
  commitFirstEvents,
  lockEventLog,
  type NewEvent,
  writeEvents,
} from '#core/events/append.ts'
import { newId } from '#core/values/id.ts'

const NO_HOLDER = { clientCorrelatorId: null, paymentDate: null, accountNumber: null, mobileNumber: null }

/** An event of a payment, whose webhook goes to this address. */
export const eventTo = (clientId: string, url: string): NewEvent => ({
  ...NO_HOLDER,
  eventid: newId(),
  kind: 'PAYMENT',
  eventType: 'PAYMENT_COMPLETED',
  eventTime: new Date(),
  transactionId: randomUUID(),
  operationStatus: 'succeeded',
  status: 'succeeded',
  description: 'x',
  clientId,
  webhook: { deliveryId: newId(), url, origin: originOf(url), token: null },
})

/** Queues a webhook of each client to each of its addresses, all at once. */
export const queueAll = async (
  { db, eventsWritten }: App,
  urlsOf: Readonly<Record<string, readonly string[]>>,
) => {
  const events = Object.entries(urlsOf).flatMap(([clientId, urls]) => urls.map(url => eventTo(clientId, url)))
  await db.$transaction(tx => appendEvents(tx, events), { timeout: 30_000 })
  eventsWritten.emit()
}

/** Queues a webhook of the client to each address. */
export const queue = (app: App, clientId: string, urls: readonly string[]): Promise<void> =>
  queueAll(app, { [clientId]: urls })

/**
 * Writes webhooks of the client, one to each address, as settling does: what has a place is sent once it is committed.
 * @param before is done in the transaction, after they are written.
 */
export const commitFirst = async (
  app: App,
  clientId: string,
  urls: readonly string[],
  before?: (tx: Statements) => Promise<unknown>,
): Promise<void> => {
  await app.access.clients.find(clientId)
  const events = urls.map(url => eventTo(clientId, url))
  await commitFirstEvents(app, async (tx, leases) => {
    await writeEvents(tx, await lockEventLog(tx), events, leases)
    await before?.(tx)
    return events
  })
}

/** Writes a webhook of the client to each address, which were given up. */
export const queueDead = ({ db }: App, clientId: string, urls: readonly string[]): Promise<void> =>
  db.$transaction(
    async tx => {
      const events = urls.map(url => eventTo(clientId, url))
      await appendEvents(tx, events)
      const eventids = events.map(({ eventid }) => eventid)
      await tx.$executeRaw`
        UPDATE events.delivery SET status = 'DEAD', next_attempt_at = NULL WHERE eventid = ANY (${eventids}::uuid[])`
    },
    { timeout: 30_000 },
  )

/** Addresses on as many hosts, all of which are the one server at this port. */
export const hostsOf = (name: string, port: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `http://s${index}.${name}.example:${port}/hooks`)

const toLoopback = (_: string, __: unknown, callback: (error: null, found: LookupAddress[]) => void) =>
  callback(null, [{ address: '127.0.0.1', family: 4 }])

/** Connections for which every name is this machine. */
export const loopbackAgent = (): Dispatcher =>
  createGuardedAgent({ allow: readAllowList(['127.0.0.1']) }, toLoopback as never)
