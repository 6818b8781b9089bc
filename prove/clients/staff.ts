/** Clients that read everything: portal, analyst and auditor; and the acts of a portal. */
import type { Caller } from './caller.ts'
import type { Known } from './partner.ts'
import { ACCOUNTS, NUMBERS, POOR, type Random } from './posts.ts'

export interface Staff {
  readonly portal: Caller
  readonly analyst: Caller
  readonly auditor: Caller
  readonly random: Random
  readonly known: readonly Known[]
}

const CUSTOMER_360 = `query ($n: PhoneNumber!) { subscriber(mobileNumber: $n) {
  mobileNumber kind customer { customerName totalDues payments(first: 5) { totalCount nodes { paymentId transactionOperationStatus } } }
  prepaidBalance { value currency } pointsBalance
  rewards(first: 5) { nodes { rewardId points } } redemptions(first: 5) { nodes { redemptionId transactionOperationStatus } }
  messages(first: 5) { nodes { otlTransactionId transactionOperationStatus } }
  timeline(first: 20) { nodes { kind outcome transaction { id transactionOperationStatus } } }
  summary(by: MONTH, groupBy: [KIND]) { period kind count amount { value currency } points } } }`

const pick = <T>(random: Random, values: readonly T[]): T | undefined =>
  values[random(Math.max(1, values.length))]

/** Takes back what was carried out, or ends what is pending. */
async function intervene({ portal, random, known }: Staff): Promise<void> {
  const isReversal = random(2) === 0
  const fitting = known.filter(({ kind }) =>
    isReversal ? kind === 'REWARD' || kind === 'REDEMPTION' : kind !== 'MESSAGE' && kind !== 'RECHARGE',
  )
  // Of the newest, since only what is pending can be cancelled.
  const one = pick(random, fitting.slice(-12))
  if (!one) return
  const name = isReversal ? 'reverseTransaction' : 'cancelTransaction'
  await portal.graph(
    { op: isReversal ? 'reverse' : 'cancel', about: { id: one.id, kind: one.kind } },
    `mutation ($id: ID!) { result: ${name}(id: $id, reason: "Proof") { id transactionOperationStatus } }`,
    { id: one.id },
  )
}

/** One step of one of them, chosen at random. */
export async function staffStep(staff: Staff): Promise<void> {
  const { portal, analyst, auditor, random } = staff
  switch (random(8)) {
    case 0:
    case 1:
      return intervene(staff)
    case 2:
      return void (await portal.graph({ op: 'customer-360' }, CUSTOMER_360, {
        n: `+${pick(random, [...NUMBERS, POOR])}`,
      }))
    case 3:
      return void (await portal.graph(
        { op: 'customer' },
        'query ($a: String!) { customer(customerAccountNumber: $a) { totalDues timeline(first: 10) { nodes { transaction { id transactionOperationStatus } } } } }',
        { a: pick(random, ACCOUNTS) },
      ))
    case 4:
      return void (await analyst.graph(
        { op: 'summary' },
        '{ summary(by: DAY, groupBy: [KIND, OUTCOME]) { period kind outcome count amount { value currency } points } }',
      ))
    case 5:
      return void (await analyst.call({
        op: 'export',
        via: 'rest',
        path: '/exports/timeline.csv?orderBy=OLDEST_FIRST',
        keep: body => ({ lines: String(body).split('\n').length }),
      }))
    case 6:
      return void (await auditor.graph(
        { op: 'access-records' },
        '{ accessRecords(first: 20) { nodes { at client { id } subject operation correlator } } }',
      ))
    default:
      return void (await portal.graph(
        { op: 'redeliver' },
        'mutation { redeliverWebhooks(filter: { status: PENDING }) }',
      ))
  }
}
