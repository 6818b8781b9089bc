/** A mix of all five kinds of transaction, in the parts that a telecom operator might see. */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { ACCOUNTS, accountOf, mobileOf } from './fill.ts'

/** A kind of the mix. */
export interface MixedKind {
  readonly name: string
  /** Its part of all transactions. */
  readonly share: number
  readonly path: string
  /** Schema and table in which it is kept. */
  readonly table: string
  body(index: number, webhook: object): object
}

/** A correlator of 18 characters: a message takes no more than 20. */
const correlator = () => randomBytes(9).toString('hex')
const own = () => ({ clientCorrelatorId: correlator(), referenceCode: 'SIMULATED' })
const money = { amount: 0.25, currency: 'OMR', description: 'Simulated' }

export const MIX: readonly MixedKind[] = [
  {
    name: 'payments',
    share: 0.4,
    path: '/postpaid-billing/v1/payments',
    table: 'postpaid.payment',
    body: (index, webhook) => ({
      paymentTransaction: {
        ...own(),
        customerInfo: { customerAccountNumber: accountOf(index), phoneNumber: mobileOf(index) },
        paymentInfo: { paymentInformation: money },
      },
      webhook,
    }),
  },
  {
    name: 'recharges',
    share: 0.3,
    path: '/prepaid/v1/recharges',
    table: 'prepaid.recharge',
    body: (index, webhook) => ({
      rechargeTransaction: {
        ...own(),
        mobileNumber: mobileOf(index),
        rechargeInfo: { rechargeInformation: money },
      },
      webhook,
    }),
  },
  {
    name: 'messages',
    share: 0.15,
    path: '/v1/unified-messaging/send-single',
    table: 'messaging.message',
    body: (index, webhook) => ({
      clientCorrelatorId: correlator(),
      messageId: 'm-1',
      sender: 'MuscatPay',
      recipient: mobileOf(index),
      smsText: 'Your code is 4711',
      webhook,
    }),
  },
  {
    name: 'rewards',
    share: 0.1,
    path: '/loyalty/v1/reward-points',
    table: 'loyalty.reward',
    body: (index, webhook) => ({
      rewardTransaction: {
        ...own(),
        mobileNumber: mobileOf(index),
        rewardInformation: { rewardPoints: 1.5, description: 'Simulated' },
      },
      webhook,
    }),
  },
  {
    name: 'redemptions',
    share: 0.05,
    path: '/loyaltyredemption/v1/redemptions',
    table: 'redemption.redemption',
    body: (index, webhook) => ({
      redemptionTransaction: {
        ...own(),
        mobileNumber: mobileOf(index),
        redemptionInformation: { redemptionPoints: 1, description: 'Simulated' },
      },
      webhook,
    }),
  },
]

/** The kind of a transaction, by a number from 0 to 1 that chance gives. */
export function kindAt(chance: number): MixedKind {
  let left = chance
  for (const kind of MIX) {
    left -= kind.share
    if (left < 0) return kind
  }
  return MIX[0]!
}

/** Gives every number points enough to redeem. */
export const fillPoints = (client: pg.Client): Promise<unknown> =>
  client.query(`UPDATE ledger.balance SET amount = 1000000 WHERE kind = 'points'`)

/** A number of an account, by chance. */
export const anyIndex = (random: () => number): number => Math.floor(random() * ACCOUNTS)
