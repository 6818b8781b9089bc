/** REST for every kind of transaction: create, list and get as calls of its service. */

import type { Caller } from '../access/caller.ts'
import type { App } from '../context/app.ts'
import type { ShownRow } from '../transactions/columns.ts'
import type { TransactionKind } from '../transactions/kind.ts'
import type { Page } from '../transactions/page.ts'
import type { TransactionService } from '../transactions/service.ts'
import type { Operations, RestResponse } from './rest.ts'

/** A transaction as the contract shows it to the caller. */
type ToBody<Body> = (app: App, caller: Caller, row: ShownRow<Body>) => unknown

/** 200 with the page and its two headers (contract: lists). */
const listResponse = <Body>(page: Page<Body>, toBody: (row: ShownRow<Body>) => unknown): RestResponse => ({
  status: 200,
  body: page.rows.map(toBody),
  headers: { 'content-last-key': page.lastKey, 'x-total-count': page.total },
})

/** The webhook as it is echoed: never with its token, and not to an analyst. */
export const webhookEcho = ({ principal }: Caller, { webhookUrl }: Pick<ShownRow, 'webhookUrl'>) =>
  webhookUrl === null || principal.role === 'analyst' ? {} : { webhook: { notificationUrl: webhookUrl } }

/**
 * A kind's operations by `operationId`: `createPayment`, and where the contract has a collection to retrieve them from
 * `listPayments` and `getPayment`.
 * @param toCreated what create responds with, when that is less than what get does.
 */
export const transactionOperations =
  <Body, Request>(kind: TransactionKind, toBody: ToBody<Body>, toCreated = toBody) =>
  (app: App, service: TransactionService<Body, Request>): Operations => {
    /** A body has the shape of its schema, of which `Request` is made; stand-ins have it too. */
    const create: Operations = {
      [kind.createOperation]: async ({ caller, body, shape }) => ({
        status: 201,
        body: toCreated(app, caller, await service.create(caller, body as Request, shape)),
      }),
    }
    if (kind.path === undefined) return create
    return {
      ...create,
      [`list${kind.typename}s`]: async ({ caller, query }) =>
        listResponse(await service.list(caller, query), row => toBody(app, caller, row)),
      [`get${kind.typename}`]: async ({ caller, params }) => ({
        status: 200,
        body: toBody(app, caller, await service.get(caller, params[kind.idField]!)),
      }),
    }
  }
