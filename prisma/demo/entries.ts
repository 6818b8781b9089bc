/** History of the demo: made by a generator with a fixed seed, the same at every first start. */

import type { TransactionKind } from '#core/transactions/kind.ts'
import { newId } from '#core/values/id.ts'
import { REWARD } from '#subgraphs/loyalty/kind.ts'
import { MESSAGE } from '#subgraphs/messaging/kind.ts'
import { PAYMENT } from '#subgraphs/postpaid-billing/kind.ts'
import { RECHARGE } from '#subgraphs/prepaid/kind.ts'
import { REDEMPTION } from '#subgraphs/redemption/kind.ts'

/** Client that posted the history: a partner of its own, so that the other demo clients begin with empty lists. */
export const HISTORY_CLIENT = 'demo-kiosks'

export interface DemoEntry {
  readonly id: string
  readonly createdAt: Date
  readonly completedAt: Date
  readonly clientCorrelatorId: string
  readonly referenceCode: string | null
  readonly status: string
  readonly reason: string
  readonly accountNumber: string
  readonly mobileNumber: string | null
  readonly currency?: string
  readonly amount?: number
  readonly points?: number
  readonly body: object
}

type Random = () => number

const DAYS = 150
const PER_KIND = 40
const DAY_MS = 86_400_000

/** Accounts with a mobile number, from the demo directory. */
const POSTPAID = [
  ['100001', '96891000001'],
  ['100002', '96891000002'],
  ['100003', '96891000003'],
  ['100007', '96891000007'],
] as const
const PREPAID = [
  ['200001', '96892000001'],
  ['200002', '96892000002'],
  ['200004', '96892000004'],
  ['200004', '96892000005'],
] as const
const MERCHANTS = ['Muttrah Kiosk', 'Nizwa Mart', 'Sohar Bank'] as const
const CHANNELS = ['Kiosk', 'Web', 'SMS'] as const

/** Mulberry32: small, and the same numbers everywhere. */
const createRandom = (seed: number): Random => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)]!
const money = (random: Random, most: number) => Math.round((1 + random() * most) * 2) / 2
const meta = (random: Random) => ({ merchantName: pick(random, MERCHANTS), channel: pick(random, CHANNELS) })

type Make = (
  random: Random,
  name: { correlator: string; reference: string },
) => Pick<DemoEntry, 'accountNumber' | 'mobileNumber' | 'currency' | 'amount' | 'points' | 'body'>

const payment: Make = (random, { correlator, reference }) => {
  const [accountNumber, mobileNumber] = pick(random, POSTPAID)
  const amount = money(random, 40)
  const paymentInformation = { amount, currency: 'OMR', description: 'Monthly bill' }
  const customerInfo = { customerAccountNumber: accountNumber, phoneNumber: mobileNumber }
  const paymentInfo = { paymentInformation, paymentMetaData: { ...meta(random), paymentMethod: 'cash' } }
  const body = { clientCorrelatorId: correlator, referenceCode: reference, customerInfo, paymentInfo }
  return { accountNumber, mobileNumber, currency: 'OMR', amount, body }
}

const recharge: Make = (random, { correlator, reference }) => {
  const [accountNumber, mobileNumber] = pick(random, PREPAID)
  const amount = money(random, 9)
  const rechargeInformation = { amount, currency: 'OMR', description: 'Top-up' }
  const rechargeInfo = { rechargeInformation, rechargeMetaData: { ...meta(random), paymentMethod: 'cash' } }
  const body = { clientCorrelatorId: correlator, referenceCode: reference, mobileNumber, rechargeInfo }
  return { accountNumber, mobileNumber, currency: 'OMR', amount, body }
}

const message: Make = (random, { correlator }) => {
  const [accountNumber, mobileNumber] = pick(random, [...POSTPAID, ...PREPAID])
  const smsText = pick(random, ['Your bill is ready.', 'Thank you for your payment.', 'You have new points.'])
  return {
    accountNumber,
    mobileNumber,
    body: { clientCorrelatorId: correlator, sender: 'OPERATOR', recipient: mobileNumber, smsText },
  }
}

const points =
  (field: 'reward' | 'redemption', most: number): Make =>
  (random, { correlator, reference }) => {
    const [accountNumber, mobileNumber] = pick(random, [...POSTPAID, ...PREPAID])
    const amount = Math.ceil(random() * most) * 10
    const information = {
      [`${field}Points`]: amount,
      description: field === 'reward' ? 'Thank you' : 'Voucher',
    }
    const groups = { [`${field}Information`]: information, [`${field}MetaData`]: meta(random) }
    const body = { clientCorrelatorId: correlator, mobileNumber, referenceCode: reference, ...groups }
    return { accountNumber, mobileNumber, points: amount, body }
  }

/** How each kind is made, how it mostly ends, and how now and then. */
const PLANS: readonly {
  kind: TransactionKind
  make: Make
  usual: string
  rare: [status: string, reason: string]
}[] = [
  { kind: PAYMENT, make: payment, usual: 'succeeded', rare: ['denied', 'The account was being closed'] },
  { kind: RECHARGE, make: recharge, usual: 'succeeded', rare: ['failed', 'The number was out of use'] },
  { kind: MESSAGE, make: message, usual: 'sent', rare: ['expired', 'The expiry time had passed'] },
  {
    kind: REWARD,
    make: points('reward', 30),
    usual: 'success',
    rare: ['failed', 'The number was out of use'],
  },
  {
    kind: REDEMPTION,
    make: points('redemption', 20),
    usual: 'success',
    rare: ['declined', 'The points did not suffice'],
  },
]

const times = (random: Random, now: Date) =>
  Array.from(
    { length: PER_KIND },
    () => new Date(now.getTime() - DAY_MS - Math.floor(random() * DAYS * DAY_MS)),
  ).sort((a, b) => a.getTime() - b.getTime())

const entriesOf = (
  random: Random,
  now: Date,
  { kind, make, usual, rare }: (typeof PLANS)[number],
): DemoEntry[] =>
  times(random, now).map((createdAt, index) => {
    const [status, reason] = random() < 0.1 ? rare : [usual, 'Carried out']
    const name = { correlator: `demo-${kind.table.slice(0, 3)}-${index + 1}`, reference: `R${1_000 + index}` }
    return {
      id: newId(createdAt),
      createdAt,
      completedAt: new Date(createdAt.getTime() + 40),
      clientCorrelatorId: name.correlator,
      referenceCode: kind === MESSAGE ? null : name.reference,
      status,
      reason,
      ...make(random, name),
    }
  })

/** The entries of each kind in the order of their creation, none later than a day before `now`. */
export const historyOf = (now: Date): [TransactionKind, DemoEntry[]][] => {
  const random = createRandom(968)
  return PLANS.map(plan => [plan.kind, entriesOf(random, now, plan)])
}
