/** REST: each operation of `schema/partner.openapi.yaml` as a call of the service, but for the one that waits (`events.ts`). */
import type { Caller } from '#core/access/principal.ts'
import type { App } from '#core/context/app.ts'
import { invalidField } from '#core/errors/catalogue.ts'
import type { Operations, RestRequest } from '#core/http/rest-operations.ts'
import { toCursor } from '#core/paging/keyset.ts'
import type { RequestRow } from '#core/requests/read.ts'
import type { Query } from '#core/values/text.ts'
import { formatOffset } from '#core/values/time.ts'
import type { DeliveryRow, DeliveryStatus } from '#core/webhooks/deliveries.ts'
import { type LoggedAttempt, readAttemptLogs } from '#core/webhooks/outcomes.ts'
import type { RegisteredEndpoint } from '#core/webhooks/registered-endpoints.ts'
import { withoutAddress } from '#core/webhooks/response-excerpt.ts'
import type { ActivityService } from '../service.ts'
import type { EndpointBody } from './endpoints.ts'
import {
  flagOf,
  pageOf,
  spanParameters,
  textParameter,
  transactionIdOf,
  wholeOf,
  wordOf,
} from './parameters.ts'

const STATUSES: readonly DeliveryStatus[] = ['PENDING', 'DELIVERED', 'DEAD']

/** The body of a request. @throws ServiceError with the faults of its shape. */
const bodyOf = <Body>({ body, shape }: RestRequest): Body => {
  if (shape) throw shape
  return body as Body
}

const idOf = ({ params }: RestRequest): string => params['id']!

/** Formats an instant in the operator's time zone. */
type Time = (date: Date) => string

const endpointBody = (time: Time, endpoint: RegisteredEndpoint) => ({
  id: endpoint.id,
  notificationUrl: endpoint.url,
  kinds: endpoint.kinds,
  format: endpoint.format,
  health: endpoint.health,
  healthSince: time(endpoint.healthSince),
  createdAt: time(endpoint.createdAt),
})

const attemptBody = (time: Time, { at, ...attempt }: LoggedAttempt) => ({ at: time(at), ...attempt })

/** Makes the bodies of deliveries with their attempts. Analysts see no address, and none within an error text. */
const deliveryBodies = async (app: App, time: Time, { principal }: Caller, rows: readonly DeliveryRow[]) => {
  const logs = await readAttemptLogs(
    app.db,
    rows.map(({ id }) => id),
  )
  const seesAddress = principal.role !== 'analyst'
  return rows.map((row, index) => {
    const log = logs[index]!
    if (log instanceof Error) throw log
    const hide = (error: string | null, status: number | null) =>
      seesAddress ? error : withoutAddress(error, status, row.url)
    return {
      id: row.id,
      cursor: toCursor(row.position),
      eventid: row.eventid,
      kind: row.kind,
      transactionId: row.transactionId,
      notificationUrl: seesAddress ? row.url : null,
      status: row.status,
      attempts: row.attempts,
      lastStatus: row.lastStatus,
      lastError: hide(row.lastError, row.lastStatus),
      nextAttemptAt: row.nextAttemptAt && time(row.nextAttemptAt),
      createdAt: time(row.createdAt),
      deliveredAt: row.deliveredAt && time(row.deliveredAt),
      attemptLog: log.map(one => attemptBody(time, { ...one, error: hide(one.error, one.status) })),
    }
  })
}

const nextOf = ({ pageInfo }: { pageInfo: { hasNextPage: boolean; endCursor: string | null } }) =>
  pageInfo.hasNextPage ? pageInfo.endCursor : null

const requestBody = (time: Time, { at, clientId: _, ...row }: RequestRow) => ({ ...row, at: time(at) })

interface TestEventBody {
  readonly notificationUrl?: string
  readonly endpointId?: string
  readonly kind: string
  readonly notificationAuthToken?: string
}

interface RotationBody {
  readonly overlapHours?: number
  readonly endpointId?: string
}

const endpoints = (time: Time, { partner, webhooks }: ActivityService): Operations => ({
  listWebhookEndpoints: async ({ caller }) => ({
    status: 200,
    body: { endpoints: (await partner.endpoints.list(caller)).map(one => endpointBody(time, one)) },
  }),
  createWebhookEndpoint: async request => {
    const { secret, ...endpoint } = await partner.endpoints.add(request.caller, bodyOf<EndpointBody>(request))
    const headers = { location: `/partner/v1/webhook-endpoints/${endpoint.id}` }
    return { status: 201, body: { ...endpointBody(time, endpoint), secret }, headers }
  },
  getWebhookEndpoint: async request => ({
    status: 200,
    body: endpointBody(time, await partner.endpoints.get(request.caller, idOf(request))),
  }),
  changeWebhookEndpoint: async request => {
    const body = bodyOf<EndpointBody>(request)
    return {
      status: 200,
      body: endpointBody(time, await partner.endpoints.change(request.caller, idOf(request), body)),
    }
  },
  removeWebhookEndpoint: async request => {
    await partner.endpoints.remove(request.caller, idOf(request))
    return { status: 204, body: undefined }
  },
  sendTestEvent: async request => {
    const { endpointId, notificationUrl, kind, notificationAuthToken } = bodyOf<TestEventBody>(request)
    if ((endpointId === undefined) === (notificationUrl === undefined))
      throw invalidField('notificationUrl', 'CONTRADICTION', 'or endpointId must be given, and not both')
    const found =
      endpointId === undefined ? undefined : await partner.endpoints.terms(request.caller, endpointId)
    const sent = await webhooks.sendTest(request.caller, {
      notificationUrl: notificationUrl ?? found!.endpoint.url,
      kind,
      notificationAuthToken,
      terms: found?.terms,
    })
    return { status: 200, body: attemptBody(time, sent) }
  },
  rotateSecret: async request => {
    const { endpointId, overlapHours } = bodyOf<RotationBody>(request)
    const { caller } = request
    const { secret, previousEndsAt } = await (endpointId === undefined
      ? webhooks.rotateSecret(caller, { overlapHours })
      : partner.endpoints.rotateSecret(caller, endpointId, overlapHours))
    return { status: 200, body: { secret, previousEndsAt: previousEndsAt ? time(previousEndsAt) : null } }
  },
})

const deliveries = (app: App, time: Time, { webhooks }: ActivityService): Operations => ({
  listDeliveries: async ({ caller, query }) => {
    const filter = {
      status: wordOf(query, 'status', STATUSES),
      kind: textParameter(query, 'kind'),
      transactionId: transactionIdOf(query, 'transactionId'),
      ...spanParameters(query, app.config.timezone),
    }
    const page = await webhooks.list(caller, { ...pageOf(query), filter })
    const body = { deliveries: await deliveryBodies(app, time, caller, page.nodes), next: nextOf(page) }
    return { status: 200, body }
  },
  redeliver: async request => {
    const row = await webhooks.redeliver(request.caller, idOf(request))
    return { status: 202, body: (await deliveryBodies(app, time, request.caller, [row]))[0] }
  },
})

const requestFilter = (app: App, query: Query) => ({
  refused: flagOf(query, 'refused'),
  status: wholeOf(query, 'status', [100, 599]),
  code: textParameter(query, 'code'),
  correlator: textParameter(query, 'correlator'),
  ...spanParameters(query, app.config.timezone),
})

/** Makes the operations of the partner tools. */
export const partnerOperations = (app: App, service: ActivityService): Operations => {
  const time = (date: Date) => formatOffset(date, app.config.timezone)
  const { partner } = service
  return {
    ...endpoints(time, service),
    ...deliveries(app, time, service),
    listRequests: async ({ caller, query }) => {
      const { orderBy: _, ...page } = pageOf(query)
      const found = await service.requests(caller, { ...page, filter: requestFilter(app, query) })
      const body = { requests: found.nodes.map(row => requestBody(time, row)), next: nextOf(found) }
      return { status: 200, body }
    },
    listTransactions: async ({ caller, query }) => ({
      status: 200,
      body: await partner.transactions.list(caller, query),
    }),
    getTransaction: async request => ({
      status: 200,
      body: await partner.transactions.get(request.caller, idOf(request)),
    }),
    listStatements: async ({ caller, query }) => ({
      status: 200,
      body: await partner.statements.list(caller, query),
    }),
    getStatement: async ({ caller, query, params, accept }) =>
      partner.statements.get(caller, params['date']!, query, accept),
  }
}
