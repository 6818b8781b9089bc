/** Webhooks of a partner, and of all partners for a portal: deliveries, redelivery, test events, signing secrets. */
import { type Caller, requireRole, requireUnbound } from '#core/access/principal.ts'
import { DEFAULT_OVERLAP_HOURS, type RotatedSecret } from '#core/access/webhook-secrets.ts'
import { FairSlots } from '#core/async/fair-slots.ts'
import { actorOf, recordAct, recordAlone } from '#core/audit/acts.ts'
import type { App } from '#core/context/app.ts'
import { Prisma } from '#core/data/db.ts'
import { checkWebhookAddress, checkWebhookToken } from '#core/egress/callback-policy.ts'
import { invalidField, notFound, unavailable } from '#core/errors/catalogue.ts'
import type { TransactionKind } from '#core/transactions/kind.ts'
import { checkReference } from '#core/values/text.ts'
import {
  type DeliveryArgs,
  type DeliveryConnection,
  type DeliveryRow,
  listDeliveries,
  visibleDeliveries,
} from '#core/webhooks/deliveries.ts'
import { type EndpointRow, readEndpoints } from '#core/webhooks/endpoints.ts'
import type { LoggedAttempt } from '#core/webhooks/outcomes.ts'
import { checkRedelivery, type RedeliveryFilter, redeliver, redeliverMany } from '#core/webhooks/redeliver.ts'
import type { EndpointTerms } from '#core/webhooks/registered-endpoints.ts'
import { sendTestEvent } from '#core/webhooks/test-event.ts'
import { type Kinds, kindNamed } from './kinds.ts'

interface TestEventArgs {
  readonly notificationUrl: string
  readonly kind: string
  readonly notificationAuthToken?: string | null
  readonly partner?: string | null
  /** Terms of a registered endpoint: its form and secrets are used. */
  readonly terms?: EndpointTerms | undefined
}

interface RotationArgs {
  readonly overlapHours?: number | null
  readonly partner?: string | null
}

export interface WebhookService {
  /** Reads a page of the deliveries that the caller may see. */
  list(caller: Caller, args: DeliveryArgs): Promise<DeliveryConnection>
  /**
   * Reads the endpoints in trouble that the caller may see.
   * @throws ServiceError PERMISSION_DENIED for analysts, who see no addresses.
   */
  endpoints(caller: Caller, client: string | null | undefined): Promise<EndpointRow[]>
  /** Sends a delivery again. @throws ServiceError NOT_FOUND where the caller can see no such delivery. */
  redeliver(caller: Caller, deliveryId: string): Promise<DeliveryRow>
  /** Sends the deliveries of a filter again that the caller may see, at most 1,000; returns their number. */
  redeliverMany(caller: Caller, filter: RedeliveryFilter): Promise<number>
  /** Sends a test event now. @throws ServiceError SERVICE_UNAVAILABLE where too many are in flight. */
  sendTest(caller: Caller, args: TestEventArgs): Promise<LoggedAttempt>
  /** Makes a new signing secret, which is shown this once. */
  rotateSecret(caller: Caller, args: RotationArgs): Promise<RotatedSecret>
}

const mayCall = ({ principal }: Caller, operation: string) =>
  requireRole(principal, ['partner', 'portal'], operation)

/** Finds a partner by its id; for another partner it does not exist. */
const partnerNamed = async ({ access }: App, { principal }: Caller, id: string): Promise<string> => {
  if (principal.role === 'partner' && id === principal.clientId) return id
  const client = principal.role === 'partner' ? undefined : await access.clients.find(id)
  if (client?.role !== 'partner') throw notFound(`Partner ${id.slice(0, 64)}`)
  return id
}

const rotatedPartner = async (app: App, caller: Caller, named: string | null | undefined) => {
  const { role, clientId } = caller.principal
  if (named != null) return partnerNamed(app, caller, named)
  if (role === 'partner') return clientId
  throw invalidField('partner', 'REQUIRED', 'must be given by a client of role portal')
}

/** Finds a kind whose transactions call webhooks. */
const calledKind = (kinds: Kinds, name: string): TransactionKind => {
  const kind = kindNamed(kinds, name)
  if (!kind.callsWebhook)
    throw invalidField('kind', 'UNKNOWN_VALUE', `must not be ${name}, which calls no webhooks`)
  return kind
}

const checkTestEvent = (
  { config }: App,
  { notificationUrl, notificationAuthToken }: TestEventArgs,
): string | undefined => {
  checkWebhookAddress('notificationUrl', notificationUrl, config.webhookAllow)
  const token = notificationAuthToken || undefined
  if (token) checkWebhookToken('notificationAuthToken', token)
  return token
}

/** Most test events in flight; a client has half of them: each may wait for its endpoint for seconds. */
const TEST_EVENTS = 32

const enterTestEvent = (app: App, places: FairSlots, { principal }: Caller) => {
  const leave = app.usage.enterTestEvent(principal)
  const free = places.take(principal.clientId)
  if (!free) {
    leave()
    throw unavailable('Too many test events are under way; try again when they have been answered')
  }
  return () => {
    leave()
    free()
  }
}

/** Records a test event before it is sent: once it is, nothing could take it back. */
const recordTest = (app: App, caller: Caller, { clientId, ...details }: Readonly<Record<string, string>>) =>
  recordAlone(app, { actor: actorOf(caller), action: 'TEST_EVENT_SENT', target: clientId, details })

const sendTest = async (app: App, kinds: Kinds, places: FairSlots, caller: Caller, args: TestEventArgs) => {
  const { principal, correlator, signal } = caller
  mayCall(caller, 'sendTestEvent')
  requireUnbound(principal, 'sendTestEvent')
  const token = checkTestEvent(app, args)
  const { idField } = calledKind(kinds, args.kind)
  const clientId = args.partner == null ? principal.clientId : await partnerNamed(app, caller, args.partner)
  const release = enterTestEvent(app, places, caller)
  const { notificationUrl, kind, terms } = args
  await recordTest(app, caller, { clientId, kind, host: new URL(notificationUrl).host }).catch(error => {
    release()
    throw error
  })
  const parts = { idField, clientId, notificationUrl, token, correlator, terms, kind }
  const sent = await sendTestEvent(app, parts, signal).finally(release)
  const { status, durationMs, error } = sent
  app.log.info(
    { correlator, by: principal.clientId, clientId, kind: args.kind, status, durationMs, error },
    'webhook test event sent',
  )
  return sent
}

const rotateSecret = async (app: App, caller: Caller, { overlapHours, partner }: RotationArgs) => {
  const { principal, correlator } = caller
  mayCall(caller, 'rotateWebhookSecret')
  requireUnbound(principal, 'rotateWebhookSecret')
  const clientId = await rotatedPartner(app, caller, partner)
  const hours = overlapHours ?? DEFAULT_OVERLAP_HOURS
  const rotated = await app.access.webhookSecrets.rotate(clientId, hours, actorOf(caller))
  const { previousEndsAt } = rotated
  app.log.info(
    { correlator, by: principal.clientId, clientId, previousEndsAt },
    'webhook signing secret rotated',
  )
  return rotated
}

const redeliverAll = async (app: App, caller: Caller, filter: RedeliveryFilter) => {
  mayCall(caller, 'redeliverWebhooks')
  if (filter.partner != null) checkReference('filter.partner', filter.partner)
  checkRedelivery(filter)
  const count = await app.db.$transaction(
    async tx => {
      const redelivered = await redeliverMany(tx, filter, visibleDeliveries(caller))
      const details = { ...filter, count: redelivered }
      await recordAct(tx, { actor: actorOf(caller), action: 'WEBHOOKS_REDELIVERED', details })
      return redelivered
    },
    { signal: caller.signal, plans: 'anew' },
  )
  app.log.info(
    { correlator: caller.correlator, by: caller.principal.clientId, count },
    'webhooks redelivered',
  )
  if (count > 0) app.eventsWritten.emit()
  return count
}

/** Makes the webhooks' part of the service. @param kinds all kinds of transaction. */
export const createWebhookService = (
  app: App,
  kinds: Kinds,
  places = new FairSlots(TEST_EVENTS),
): WebhookService => ({
  async endpoints(caller, client) {
    mayCall(caller, 'webhookEndpoints')
    requireUnbound(caller.principal, 'webhookEndpoints')
    if (client != null) checkReference('client', client)
    const named = client == null ? Prisma.sql`TRUE` : Prisma.sql`t.client_id = ${client}`
    return readEndpoints(app.db, Prisma.sql`${visibleDeliveries(caller)} AND ${named}`)
  },
  list: (caller, args) => listDeliveries(app.db, args, visibleDeliveries(caller)),
  async redeliver(caller, deliveryId) {
    mayCall(caller, 'redeliverWebhook')
    const delivery = await app.db.$transaction(
      async tx => {
        const redelivered = await redeliver(tx, deliveryId, visibleDeliveries(caller))
        await recordAct(tx, {
          actor: actorOf(caller),
          action: 'WEBHOOKS_REDELIVERED',
          target: redelivered.id,
        })
        return redelivered
      },
      { signal: caller.signal },
    )
    app.eventsWritten.emit()
    return delivery
  },
  redeliverMany: (caller, filter) => redeliverAll(app, caller, filter),
  sendTest: (caller, args) => sendTest(app, kinds, places, caller, args),
  rotateSecret: (caller, args) => rotateSecret(app, caller, args),
})
