/** The contract's statuses of each kind, and how each is reached. */
import type { ChargeResult } from '#core/charging/charging.ts'

/** How a status is reached: by create, by what a charging system says, or by an operator. */
export type Way =
  | 'created'
  | 'pending'
  | 'reserved'
  | ChargeResult['outcome']
  | 'cancelTransaction'
  | 'reverseTransaction'

const POINTS: Record<string, Way> = {
  processing: 'created',
  pending: 'pending',
  success: 'done',
  failed: 'failed',
  cancelled: 'cancelTransaction',
  invalid: 'invalid',
  expired: 'expired',
  declined: 'declined',
  reversed: 'reverseTransaction',
}

/** The contract's lists of statuses, each with a way that leads there. */
export const CONTRACT: Record<string, Record<string, Way>> = {
  PAYMENT: {
    processing: 'created',
    denied: 'declined',
    reserved: 'reserved',
    succeeded: 'done',
    cancelled: 'cancelTransaction',
  },
  RECHARGE: { processing: 'created', denied: 'declined', succeeded: 'done', failed: 'failed' },
  MESSAGE: { accepted: 'created', sent: 'done', expired: 'expired', failed: 'failed', error: 'invalid' },
  REWARD: POINTS,
  REDEMPTION: POINTS,
}
