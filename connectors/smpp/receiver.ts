/** Takes what the message centre delivers: receipts are noted, and only then answered; messages from people are refused. */

import type { SmppBind } from '#core/config/smpp.ts'
import type { Logger } from '#core/observability/log.ts'
import { type Pdu, statusOf } from '../third-party/smpp.ts'
import { recipientAddress } from './addresses.ts'
import type { SmppMetrics } from './metrics.ts'
import type { Matched, ReceivedReceipt } from './receipt-store.ts'
import { readDelivered } from './receipts.ts'

export interface ReceiverParts {
  readonly log: Logger
  /** Of the operator: receipts may name recipients without it. */
  readonly countryCode: string
  readonly metrics: SmppMetrics
  /** Notes a receipt for good. */
  note(receipt: ReceivedReceipt): Promise<Matched>
  /** Concludes the message where its result is known by now. */
  tell(transactionId: string): Promise<unknown>
}

const OK = 0

/** The other side sends it again later. */
const LATER = statusOf('ESME_RX_T_APPN')

/** Nobody here reads messages. */
const REFUSED = statusOf('ESME_RX_R_APPN')

const take = async ({ metrics, note, tell }: ReceiverParts, receipt: ReceivedReceipt): Promise<number> => {
  const transactionId = await note(receipt)
  metrics.receipts.inc({ state: transactionId === undefined ? 'early' : receipt.state })
  if (transactionId !== undefined) await tell(transactionId)
  return OK
}

/** Makes the function that takes a `deliver_sm` of a bind and resolves with the status to answer it with. */
export const createReceiver =
  (parts: ReceiverParts) =>
  async (pdu: Pdu, { centre }: Pick<SmppBind, 'centre'>): Promise<number> => {
    const { log, metrics, countryCode } = parts
    const delivered = readDelivered(pdu.fields)
    if (typeof delivered === 'object') {
      const { receipt } = delivered
      const recipient = recipientAddress(receipt.recipient, countryCode).text
      return take(parts, { ...receipt, recipient, smsc: centre }).catch(error => {
        log.warn(
          { err: error },
          'a delivery receipt could not be noted; the message centre is to send it again',
        )
        return LATER
      })
    }
    metrics.receipts.inc({ state: delivered })
    if (delivered === 'unreadable')
      log.warn('a delivery receipt without state, or without id and reference, was passed over')
    return delivered === 'message' ? REFUSED : OK
  }
