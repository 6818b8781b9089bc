/** Registered webhook endpoints of a partner: added, changed, paused, removed, their secrets rotated. */
import { type Caller, requireUnbound } from '#core/access/principal.ts'
import { visibleClient, visibleTo } from '#core/access/visibility.ts'
import { type RotatedSecret, WEBHOOK_SECRET_PREFIX } from '#core/access/webhook-secrets.ts'
import { type Action, actorOf, recordAct } from '#core/audit/acts.ts'
import type { App } from '#core/context/app.ts'
import { Prisma, type Transaction } from '#core/data/db.ts'
import { checkWebhookAddress } from '#core/egress/callback-policy.ts'
import { invalidField } from '#core/errors/catalogue.ts'
import { together } from '#core/errors/faults.ts'
import { setPaused } from '#core/webhooks/health-record.ts'
import {
  addEndpoint,
  changeEndpoint,
  type EndpointChange,
  type EndpointFormat,
  type EndpointTerms,
  listEndpoints,
  type RegisteredEndpoint,
  readEndpoint,
  readTerms,
  removeEndpoint,
  rotateEndpointSecret,
} from '#core/webhooks/registered-endpoints.ts'

/** Body of a new endpoint, or of a change; its shape was checked. */
export interface EndpointBody {
  readonly notificationUrl?: string
  readonly kinds?: readonly string[]
  readonly format?: EndpointFormat
  readonly secret?: string
  readonly paused?: boolean
}

export interface EndpointService {
  list(caller: Caller): Promise<RegisteredEndpoint[]>
  /** @throws ServiceError NOT_FOUND, as all that follow. */
  get(caller: Caller, id: string): Promise<RegisteredEndpoint>
  /** Registers one. @returns it, with the secret that is shown this once. */
  add(caller: Caller, body: EndpointBody): Promise<RegisteredEndpoint & { readonly secret: string }>
  change(caller: Caller, id: string, body: EndpointBody): Promise<RegisteredEndpoint>
  remove(caller: Caller, id: string): Promise<void>
  rotateSecret(caller: Caller, id: string, overlapHours: number | undefined): Promise<RotatedSecret>
  /** Reads the terms by which a test event is sent to it. */
  terms(caller: Caller, id: string): Promise<{ endpoint: RegisteredEndpoint; terms: EndpointTerms }>
}

/** Sizes that the Standard Webhooks specification allows, in bytes. */
const [LEAST_BYTES, MOST_BYTES] = [24, 64]

const checkSecret = (secret: string) => {
  const text = secret.slice(WEBHOOK_SECRET_PREFIX.length)
  const bytes = Buffer.from(text, 'base64')
  const isWhole = secret.startsWith(WEBHOOK_SECRET_PREFIX) && bytes.toString('base64') === text
  if (isWhole && bytes.length >= LEAST_BYTES && bytes.length <= MOST_BYTES) return
  throw invalidField(
    'secret',
    'BAD_FORMAT',
    `must be ${WEBHOOK_SECRET_PREFIX} and the base64 of ${LEAST_BYTES} to ${MOST_BYTES} bytes`,
  )
}

const check = ({ config }: App, { notificationUrl, secret }: EndpointBody) =>
  together(faults => {
    if (notificationUrl !== undefined)
      faults.check(() => checkWebhookAddress('notificationUrl', notificationUrl, config.webhookAllow))
    if (secret !== undefined) faults.check(() => checkSecret(secret))
  })

const toChange = ({ notificationUrl: url, kinds, format, secret }: EndpointBody): EndpointChange => ({
  ...(url !== undefined && { url }),
  ...(kinds && { kinds: [...new Set(kinds)] }),
  ...(format && { format }),
  ...(secret !== undefined && { secret }),
})

/** Makes the service. */
export const createEndpointService = (app: App): EndpointService => {
  const { db, access } = app
  const visible = (caller: Caller): Prisma.Sql => {
    requireUnbound(caller.principal, 'webhook endpoints')
    return visibleTo({ clientId: visibleClient(caller) }, 't')
  }
  const get = (caller: Caller, id: string) => readEndpoint(db, id, visible(caller))
  /** Runs a change of one endpoint with its act. */
  const act = async <T>(
    caller: Caller,
    id: string,
    action: Action,
    run: (tx: Transaction, endpoint: RegisteredEndpoint) => Promise<T>,
  ): Promise<T> => {
    const result = await db.$transaction(
      async tx => {
        const endpoint = await readEndpoint(tx, id, visible(caller))
        const done = await run(tx, endpoint)
        await recordAct(tx, {
          actor: actorOf(caller),
          action,
          target: endpoint.clientId,
          details: { endpoint: id },
        })
        return done
      },
      { signal: caller.signal },
    )
    // A pause that ended may have left something due; a change of health is an event.
    app.eventsWritten.emit()
    return result
  }
  return {
    list: caller => listEndpoints(db, visible(caller)),
    get,
    async add(caller, body) {
      visible(caller)
      check(app, body)
      const { clientId } = caller.principal
      const { format = 'OWN', kinds = [], url = '', secret } = toChange(body)
      const added = await db.$transaction(
        async tx => {
          const made = await addEndpoint(tx, access.cipher, { clientId, url, kinds, format, secret })
          const details = { endpoint: made.id, kinds }
          await recordAct(tx, {
            actor: actorOf(caller),
            action: 'WEBHOOK_ENDPOINT_CHANGED',
            target: clientId,
            details,
          })
          return made
        },
        { signal: caller.signal },
      )
      return { ...(await get(caller, added.id)), secret: added.secret }
    },
    async change(caller, id, body) {
      check(app, body)
      await act(caller, id, 'WEBHOOK_ENDPOINT_CHANGED', async (tx, endpoint) => {
        await changeEndpoint(tx, access.cipher, endpoint, toChange(body))
        const { origin } = await readEndpoint(tx, id, Prisma.sql`TRUE`)
        if (body.paused !== undefined)
          await setPaused(tx, { clientId: endpoint.clientId, origin }, body.paused)
      })
      return get(caller, id)
    },
    remove: (caller, id) => act(caller, id, 'WEBHOOK_ENDPOINT_CHANGED', removeEndpoint),
    rotateSecret: (caller, id, overlapHours) =>
      act(caller, id, 'WEBHOOK_SECRET_ROTATED', (tx, endpoint) =>
        rotateEndpointSecret(tx, access.cipher, endpoint, overlapHours),
      ),
    async terms(caller, id) {
      const endpoint = await get(caller, id)
      return { endpoint, terms: await readTerms(db, endpoint) }
    },
  }
}
