/** A balance has an end: an order beyond it is refused with a reason, and delays nobody. */
import { afterAll, beforeAll, expect } from 'vitest'
import { auditServices } from '../support/audit.ts'
import { INTERFACES } from '../support/both-interfaces.ts'
import { withField } from '../support/fields.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import type { ServiceFixture } from '../support/fixtures/fixture.ts'
import { type Stack, startStack } from '../support/stack.ts'

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack({ env: { LOG_LEVEL: 'silent' } })
  token = await stack.token()
})
afterAll(() => stack[Symbol.asyncDispose]())

const KINDS: Record<string, string> = { PAYMENT: 'dues', RECHARGE: 'prepaid', REWARD: 'points' }
/** The ledger declines no reward (docs/decisions.md, "Life of a transaction"). */
const REFUSED: Record<string, string> = { PAYMENT: 'denied', RECHARGE: 'denied', REWARD: 'failed' }

const fillBalances = ({ kind }: ServiceFixture, amount: string) =>
  stack.app.db.$executeRaw`UPDATE ledger.balance SET amount = ${amount}::numeric WHERE kind = ${KINDS[kind]!}`

/** Posts and settles; the event that it left. */
const settle = async (fixture: ServiceFixture, value: number) => {
  const body = withField(fixture.body(), (fixture.money?.amount ?? fixture.points)!, value)
  const { id } = await INTERFACES[0]!.create(stack, fixture, token, body)
  await stack.settled()
  const [event] = await stack.app.db.event.findMany({ where: { transactionId: id! } })
  return event
}

/** Redemptions only lower a balance, and never below zero. */
const GROWING = FIXTURES.filter(({ balance, kind }) => balance && kind !== 'REDEMPTION')

auditServices('OVERFLOW', GROWING, [
  [
    '01',
    'MUST refuse what a balance cannot hold, with the reason, and settle what comes after it',
    async fixture => {
      await settle(fixture, 1)
      const sign = fixture.kind === 'PAYMENT' ? '-' : ''
      await fillBalances(fixture, `${sign}9999999999999999.99`)
      expect(await settle(fixture, 0.01)).toMatchObject({
        eventType: 'PAYMENT_FAILED',
        operationStatus: REFUSED[fixture.kind],
        description: expect.stringContaining('cannot hold'),
      })
      await fillBalances(fixture, `${sign}9999999999999999.98`)
      expect(await settle(fixture, 0.01)).toMatchObject({ operationStatus: fixture.statusFor.done })
    },
  ],
])
