/** The parts of a response that all services share. */
import type { Caller } from '../access/caller.ts'
import type { TransactionRow } from '../transactions/kind.ts'
import type { Page } from '../transactions/page.ts'
import type { RestResponse } from './rest.ts'

/** 200 with the page and its two headers (contract: lists). */
export const listResponse = <Body>(
  page: Page<Body>,
  toBody: (row: TransactionRow<Body>) => unknown,
): RestResponse => ({
  status: 200,
  body: page.rows.map(toBody),
  headers: { 'content-last-key': page.lastKey, 'x-total-count': page.total },
})

/** The webhook as it is echoed: never with its token, and not to an analyst. */
export const webhookEcho = ({ principal }: Caller, { webhookUrl }: TransactionRow) =>
  webhookUrl === null || principal.role === 'analyst' ? {} : { webhook: { notificationUrl: webhookUrl } }
