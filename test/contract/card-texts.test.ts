/** Card numbers in free texts: kept, counted and warned of by path; refused where that is set; never said. */
import { afterAll, beforeAll, expect } from 'vitest'
import { auditInterfaces } from '../support/audit.ts'
import { withField } from '../support/fields.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import { SEPARATE, type Stack, startStack } from '../support/stack.ts'

const logLines: string[] = []
let keeping: Stack
let refusing: Stack
const tokens = new Map<Stack, string>()

beforeAll(async () => {
  keeping = await startStack({ env: { LOG_LEVEL: 'warn' }, logLines })
  refusing = await startStack({ env: { LOG_LEVEL: 'warn', CARD_TEXTS: 'refuse' }, logLines })
  for (const one of [keeping, refusing]) tokens.set(one, await one.token())
})
afterAll(() => Promise.all([keeping[Symbol.asyncDispose](), refusing[Symbol.asyncDispose]()]))

const NUMBER = '5555 5555-5555 4444'
const FIELD: Record<string, string> = {
  'postpaid-billing': 'paymentTransaction.paymentInfo.amountDetails[0].description',
  prepaid: 'rechargeTransaction.rechargeInfo.rechargeInformation.description',
  loyalty: 'rewardTransaction.rewardMetaData.merchantName',
  redemption: 'redemptionTransaction.referenceCode',
  messaging: 'smsText',
}

const counted = async (service: string) => {
  const { values } = await keeping.app.metrics.cardLikeTexts.get()
  return values.filter(({ labels }) => labels.service === service)
}

auditInterfaces('CARDTEXT', FIXTURES, [
  [
    '01',
    'MUST keep, count and warn of the path alone',
    async (fixture, client) => {
      const path = FIELD[fixture.name]!
      const body = withField(fixture.body(), path, `paid by ${NUMBER}, thanks`)
      const before = (await counted(fixture.name))[0]?.value ?? 0
      const created = await client.create(keeping, fixture, tokens.get(keeping)!, body)
      expect(created.status).toBe(201)
      const [count] = await counted(fixture.name)
      // Where services are servers of their own, each counts for itself.
      if (!SEPARATE)
        expect(count).toMatchObject({ value: before + 1, labels: { field: path.replace('[0]', '') } })
      expect(logLines.some(line => line.includes(`"path":"${path}"`))).toBe(true)
      expect(logLines.join()).not.toMatch(/5555[ -]?5555/)
    },
  ],
  [
    '02',
    'MUST refuse it, naming the path and no digit, where that is set',
    async (fixture, client) => {
      const path = FIELD[fixture.name]!
      const body = withField(fixture.body(), path, NUMBER)
      const { status, code, message } = await client.create(refusing, fixture, tokens.get(refusing)!, body)
      expect({ status, code }).toEqual({ status: 400, code: 'INVALID_ARGUMENT' })
      expect(message).toContain(`${path} must not hold a card number`)
      expect(message).not.toMatch(/5555[ -]?5555/)
      const fine = await client.create(refusing, fixture, tokens.get(refusing)!, fixture.body())
      expect(fine.status).toBe(201)
    },
  ],
])
