/** Limits of what a client may post: at once, in a month, in which currencies; exact under parallel requests; and their refusals, as in the documents. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NewClient } from '#core/access/client-input.ts'
import { DAY_MS } from '#core/data/day-partitions.ts'
import { auditInterfaces } from '../support/audit.ts'
import { ERROR_EXAMPLES, IN_TROUBLE, PRODUCE, withoutIds } from '../support/error-examples.ts'
import { withField } from '../support/fields.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import { type Body, type ServiceFixture, unique } from '../support/fixtures/fixture.ts'
import { type Stack, startStack } from '../support/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack[Symbol.asyncDispose]())

const LIMITED = FIXTURES.filter(({ money, points }) => money || points)
const OVER_AT_ONCE = { status: 403, code: 'CARRIER_BILLING.UNAUTHORIZED_AMOUNT' }
const OVER_IN_MONTH = { status: 403, code: 'CARRIER_BILLING.USER_AMOUNT_THRESHOLD_OVERPASSED' }

/** A client with both limits: amounts and points alike. */
const limited = ({
  atOnce,
  monthly,
  ...more
}: { atOnce?: string; monthly?: string } & Partial<NewClient>) => {
  const limits = { maxAmount: atOnce, maxPoints: atOnce, monthlyAmount: monthly, monthlyPoints: monthly }
  const id = `limited-${unique()}`
  return stack.token({ id, role: 'partner', dummyCards: true, ...limits, ...more })
}

/** A body for this much. */
const worth = ({ body, money, points }: ServiceFixture, value: number): Body =>
  withField(body(), money?.amount ?? points!, value)

auditInterfaces('LIMIT', LIMITED, [
  [
    '01',
    'MUST accept the maximum and refuse the least bit more',
    async (fixture, client) => {
      const token = await limited({ atOnce: '10' })
      expect(await client.create(stack, fixture, token, worth(fixture, 10))).toMatchObject({ status: 201 })
      const over = await client.create(stack, fixture, token, worth(fixture, 10.01))
      expect(over).toMatchObject(OVER_AT_ONCE)
    },
  ],
  [
    '02',
    'MUST add up the month exactly: 0.1 and 0.2 fill 0.3',
    async (fixture, client) => {
      const token = await limited({ monthly: '0.3' })
      const post = (value: number) => client.create(stack, fixture, token, worth(fixture, value))
      expect(await post(0.1)).toMatchObject({ status: 201 })
      expect(await post(0.21)).toMatchObject(OVER_IN_MONTH)
      expect(await post(0.2)).toMatchObject({ status: 201 })
      expect(await post(0.01)).toMatchObject(OVER_IN_MONTH)
    },
  ],
  [
    '03',
    'MUST let exactly as many of 30 parallel requests pass as the month has room for',
    async (fixture, client) => {
      const token = await limited({ monthly: '2.2' })
      const sent = Array.from({ length: 30 }, () => client.create(stack, fixture, token, worth(fixture, 0.2)))
      const statuses = (await Promise.all(sent)).map(({ status, code }) => `${status} ${code ?? ''}`)
      expect(
        Object.entries(Object.groupBy(statuses, one => one)).map(([one, all]) => [one, all!.length]),
      ).toEqual(
        expect.arrayContaining([
          ['201 ', 11],
          [`403 ${OVER_IN_MONTH.code}`, 19],
        ]),
      )
    },
  ],
  [
    '04',
    'MUST not count the month before, nor another client',
    async (fixture, client) => {
      const id = `limited-${unique()}`
      const token = await limited({ monthly: '1', id })
      await client.create(stack, fixture, token, worth(fixture, 1))
      expect(await client.create(stack, fixture, token, worth(fixture, 1))).toMatchObject(OVER_IN_MONTH)
      const other = await limited({ monthly: '1' })
      expect(await client.create(stack, fixture, other, worth(fixture, 1))).toMatchObject({ status: 201 })
      await stack.app.db.$executeRawUnsafe(
        `UPDATE ${fixture.table} SET created_at = $2::text::timestamptz WHERE client_id = $1`,
        id,
        new Date(Date.now() - 32 * DAY_MS).toISOString(),
      )
      expect(await client.create(stack, fixture, token, worth(fixture, 1))).toMatchObject({ status: 201 })
    },
  ],
  [
    '05',
    'MUST tell a fault of the rules (400) before an amount that is too large (403)',
    async (fixture, client) => {
      const token = await limited({ atOnce: '1' })
      const body = worth(fixture, 5)
      const faulty = [
        withField(body, 'webhook.notificationUrl', 'ftp://example.com'),
        withField(body, fixture.phone, '96899999999'),
        ...(fixture.money ? [withField(body, fixture.money.currency, 'USD')] : []),
      ]
      for (const one of faulty) {
        const created = await client.create(stack, fixture, token, one)
        expect(created).toMatchObject({ status: 400, code: 'INVALID_ARGUMENT' })
      }
    },
  ],
  [
    '06',
    'MUST tell a repeated correlator (400) before an amount that is too large (403)',
    async (fixture, client) => {
      const token = await limited({ atOnce: '1' })
      const body = worth(fixture, 1)
      await client.create(stack, fixture, token, body)
      const again = withField(body, fixture.money?.amount ?? fixture.points!, 5)
      expect(await client.create(stack, fixture, token, again)).toMatchObject({ status: 400 })
    },
  ],
  [
    '07',
    'MUST refuse card numbers that fail the Luhn check unless dummy values are agreed',
    async (fixture, client) => {
      if (!fixture.card) return
      const body = withField(fixture.body(), `${fixture.card}.cardNumber`, '4111111111111112')
      const strict = await limited({ dummyCards: false })
      const created = await client.create(stack, fixture, strict, body)
      expect(created).toMatchObject({ status: 400, code: 'INVALID_ARGUMENT' })
      expect(created.message).toContain(`${fixture.card}.cardNumber`)
      expect(created.message).not.toContain('4111')
      expect(await client.create(stack, fixture, strict, fixture.body())).toMatchObject({ status: 201 })
      expect(await client.create(stack, fixture, await limited({}), body)).toMatchObject({ status: 201 })
    },
  ],
])

/** An example of a failure in the documents is the response, to the letter. */
describe('examples', () => {
  it('REST-EXAMPLE-01 MUST each be produced', () => {
    const names = new Set(ERROR_EXAMPLES.map(({ example }) => example.name))
    expect([...names].toSorted()).toEqual([...Object.keys(PRODUCE), ...IN_TROUBLE].toSorted())
  })

  it.each(ERROR_EXAMPLES.filter(({ example }) => PRODUCE[example.name]))(
    'REST-EXAMPLE-02 MUST be what is answered: $service $example.name',
    async ({ fixture, example }) => {
      const { body } = await PRODUCE[example.name]!({ stack, fixture, example })
      expect(withoutIds(body)).toEqual(withoutIds(example.value))
    },
  )
})
