/**
 * Facts of the five kinds of transaction that checks hold the program against, written from the contract and not read from
 * the program.
 */

export interface Kind {
  readonly name: string
  readonly table: string
  readonly idField: string
  readonly path: string
  readonly initial: string
  readonly done: string
  /** Statuses that may follow each status; a status without followers is final. */
  readonly next: Readonly<Record<string, readonly string[]>>
  readonly outcome: Readonly<Record<string, string>>
  /** Balance that it moves when it is done. */
  readonly moves?: { readonly balance: string; readonly of: 'account' | 'number'; readonly sign: 1 | -1 }
  /** Name of its orders at a charging system. */
  readonly operation?: string
  readonly callsWebhook: boolean
  /** Paths at which it is listed by index; a message has none. */
  readonly isListed: boolean
}

const POINTS = {
  initial: 'processing',
  done: 'success',
  next: {
    processing: ['pending', 'success', 'failed', 'cancelled', 'invalid', 'expired', 'declined'],
    pending: ['success', 'failed', 'cancelled', 'invalid', 'expired', 'declined'],
    success: ['reversed'],
  },
  outcome: {
    processing: 'PENDING',
    pending: 'PENDING',
    success: 'COMPLETED',
    failed: 'FAILED',
    invalid: 'FAILED',
    expired: 'FAILED',
    declined: 'FAILED',
    cancelled: 'CANCELLED',
    reversed: 'REVERSED',
  },
  callsWebhook: true,
  isListed: true,
} as const

export const KINDS: readonly Kind[] = [
  {
    name: 'PAYMENT',
    table: 'postpaid.payment',
    idField: 'paymentId',
    path: '/postpaid-billing/v1/payments',
    initial: 'processing',
    done: 'succeeded',
    next: {
      processing: ['reserved', 'succeeded', 'denied', 'cancelled'],
      reserved: ['succeeded', 'denied', 'cancelled'],
    },
    outcome: {
      processing: 'PENDING',
      reserved: 'PENDING',
      succeeded: 'COMPLETED',
      denied: 'FAILED',
      cancelled: 'CANCELLED',
    },
    moves: { balance: 'dues', of: 'account', sign: -1 },
    operation: 'payBill',
    callsWebhook: true,
    isListed: true,
  },
  {
    name: 'RECHARGE',
    table: 'prepaid.recharge',
    idField: 'rechargeId',
    path: '/prepaid/v1/recharges',
    initial: 'processing',
    done: 'succeeded',
    next: { processing: ['succeeded', 'denied', 'failed'] },
    outcome: { processing: 'PENDING', succeeded: 'COMPLETED', denied: 'FAILED', failed: 'FAILED' },
    moves: { balance: 'prepaid', of: 'number', sign: 1 },
    operation: 'recharge',
    callsWebhook: true,
    isListed: true,
  },
  {
    name: 'MESSAGE',
    table: 'messaging.message',
    idField: 'otlTransactionId',
    path: '/v1/unified-messaging/send-single',
    initial: 'accepted',
    done: 'sent',
    next: { accepted: ['sent', 'expired', 'failed', 'error'] },
    outcome: { accepted: 'PENDING', sent: 'COMPLETED', expired: 'FAILED', failed: 'FAILED', error: 'FAILED' },
    callsWebhook: false,
    isListed: false,
  },
  {
    ...POINTS,
    name: 'REWARD',
    table: 'loyalty.reward',
    idField: 'rewardId',
    path: '/loyalty/v1/reward-points',
    moves: { balance: 'points', of: 'number', sign: 1 },
    operation: 'addPoints',
  },
  {
    ...POINTS,
    name: 'REDEMPTION',
    table: 'redemption.redemption',
    idField: 'redemptionId',
    path: '/loyaltyredemption/v1/redemptions',
    moves: { balance: 'points', of: 'number', sign: -1 },
    operation: 'redeemPoints',
  },
]

const BY_NAME = new Map(KINDS.map(kind => [kind.name, kind]))

/** @throws Error for a name that no kind has. */
export function kindOf(name: string): Kind {
  const kind = BY_NAME.get(name)
  if (!kind) throw new Error(`there is no kind ${name}`)
  return kind
}

const MINUTE = 60_000
/** Muscat is four hours east of UTC all year. */
const EAST_MINUTES = 240

/** The operator's calendar day of an instant, `YYYY-MM-DD`. */
export const localDayOf = (instant: string): string =>
  new Date(Date.parse(instant) + EAST_MINUTES * MINUTE).toISOString().slice(0, 10)

/** Whether a status can be reached from another by the table, in any number of steps. */
export function reaches({ next }: Kind, from: string, to: string): boolean {
  return from === to || (next[from] ?? []).some(status => reaches({ next } as Kind, status, to))
}
