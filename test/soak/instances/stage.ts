/** Everything that the test needs around its processes: database, clients, receiver, listeners; disposes of itself. */
import { toEventCursor } from '#core/events/read.ts'
import { startReceiver } from '#test/core/webhooks/receiver.ts'
import { SECRETS_KEY } from '../../support/postgres.ts'
import { createRest } from '../../support/rest.ts'
import { openTestApp } from '../../support/stack.ts'
import { startCluster } from './cluster.ts'
import { noteOpening } from './database.ts'
import { Listener } from './listener.ts'
import { FREE, LIMITED } from './load.ts'
import { Partner } from './partner.ts'

const PAGE = '/postpaid-billing/v1/payments?perPage=20&seek=30'

export type KillStage = Awaited<ReturnType<typeof openStage>>

const startProcesses = async (stack: AsyncDisposableStack) => {
  const opened = stack.use(await openTestApp({ env: { DATABASE_POOL_SIZE: '3' } }))
  const { db, config } = opened.app
  const free = await opened.token(FREE)
  const limited = await opened.token(LIMITED)
  const portal = await opened.token('demo-portal')
  await noteOpening(db)
  const [{ head }] = await db.$queryRaw<[{ head: bigint }]>`SELECT max(position) AS head FROM events.event`
  const receiver = stack.use(await startReceiver())
  const env = {
    DATABASE_URL: config.databaseUrl!,
    SECRETS_KEY,
    LOG_LEVEL: 'warn',
    WEBHOOK_ALLOW: '127.0.0.1',
  }
  const cluster = stack.use(await startCluster(env))
  const addresses = cluster.gateways.map(({ address }) => address)
  return { db, free, limited, portal, head, receiver, cluster, addresses }
}

/** Starts fourteen processes and their listeners; `random` is what the load chooses by. */
export async function openStage(random: (below: number) => number) {
  await using stack = new AsyncDisposableStack()
  const { free, limited, ...started } = await startProcesses(stack)
  const { db, head, portal, addresses, receiver } = started
  const partner = new Partner(addresses)
  const tokens = new Map([
    [FREE.id, free],
    [LIMITED.id, limited],
  ])
  const listen = (token: string, field: string) =>
    [addresses, addresses.toReversed()].map(
      own => new Listener({ addresses: own, token, field, after: toEventCursor(head) }),
    )
  const everything = listen(portal, 'transactionEvents')
  const payments = listen(free, 'paymentEvents')
  const kept = stack.move()
  return {
    ...started,
    partner,
    load: { partner, tokens, webhook: receiver.url, random },
    everything,
    payments,
    listeners: [...everything, ...payments],
    /** The events since the beginning. */
    events: () => db.event.findMany({ where: { position: { gt: head } }, orderBy: { position: 'asc' } }),
    /** Ids of a page of payments at this gateway. */
    async listAt(address: string): Promise<string[]> {
      const { body } = await createRest(address)('GET', PAGE, { token: free })
      return body.map((one: { paymentId: string }) => one.paymentId)
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
