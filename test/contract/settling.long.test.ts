/** The life of a transaction: its final status, what it moved, and the event it left (docs/decisions.md, "Life of a transaction"). */
import { afterAll, beforeAll, expect } from 'vitest'
import type { ChargeResult, EmbeddedCharging } from '#core/charging/charging.ts'
import { auditServices } from '../support/audit.ts'
import { graphOf, INTERFACES, restOf } from '../support/both-interfaces.ts'
import { fieldOf, withField } from '../support/fields.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import type { Body, ServiceFixture } from '../support/fixtures/fixture.ts'
import { type Stack, startStack } from '../support/stack.ts'

let stack: Stack
/** Settling with a charging system whose behaviour each test sets. */
let scripted: Stack
let outcome: ChargeResult
const tokens = new Map<Stack, string>()

const obedient: EmbeddedCharging = { embedded: true, post: async (_, orders) => orders.map(() => outcome) }

beforeAll(async () => {
  stack = await startStack()
  scripted = await startStack({ charging: obedient })
  for (const one of [stack, scripted]) tokens.set(one, await one.token())
})
afterAll(() => Promise.all([stack[Symbol.asyncDispose](), scripted[Symbol.asyncDispose]()]))

const create = async (on: Stack, fixture: ServiceFixture, body: Body = fixture.body()) => {
  const created = await INTERFACES[0]!.create(on, fixture, tokens.get(on)!, body)
  expect(created).toMatchObject({ status: 201, transactionOperationStatus: fixture.initial })
  return created.id!
}

const ask = async (on: Stack, query: string) => {
  const { data, errors } = await graphOf(on)(query, { token: tokens.get(on) })
  expect(errors).toEqual([])
  return data
}

const TRANSACTION = 'outcome transactionOperationStatus createdAt completedAt'
const read = async (on: Stack, { single, idField }: ServiceFixture, id: string) =>
  (await ask(on, `{ ${single}(${idField}: "${id}") { ${TRANSACTION} } }`))[single]

const leafOf = (node: unknown): unknown =>
  typeof node === 'object' && node !== null ? leafOf(Object.values(node)[0]) : node

/** The balance in thousandths, so that sums of doubles do not blur it. */
const balanceOf = async ({ balance }: ServiceFixture) =>
  Math.round(Number(leafOf(await ask(stack, balance!.query))) * 1_000)

const worth = (fixture: ServiceFixture, value: number) =>
  withField(fixture.body(), fixture.money?.amount ?? fixture.points!, value)

const eventsOf = (on: Stack, id: string) => on.app.db.event.findMany({ where: { transactionId: id } })

const MOVING = FIXTURES.filter(({ balance }) => balance)

auditServices('SETTLE', FIXTURES, [
  [
    '01',
    'MUST answer at once with the first status, and reach the final one',
    async fixture => {
      const id = await create(stack, fixture)
      await stack.settled()
      const settled = await read(stack, fixture, id)
      expect(settled).toMatchObject({
        outcome: 'COMPLETED',
        transactionOperationStatus: fixture.statusFor.done,
      })
      expect(Date.parse(settled.completedAt)).toBeGreaterThanOrEqual(Date.parse(settled.createdAt))
      if (!fixture.readable) return
      const { body } = await restOf(stack)('GET', `${fixture.path}/${id}`, { token: tokens.get(stack) })
      expect(body.transactionOperationStatus).toBe(fixture.statusFor.done)
      expect(Date.parse(body[fixture.dateField!])).toBe(Date.parse(settled.completedAt))
    },
  ],
  [
    '02',
    'MUST leave exactly one event, PAYMENT_COMPLETED with succeeded, written with the status',
    async fixture => {
      const body = fixture.body()
      const id = await create(stack, fixture, body)
      await stack.settled()
      const { completedAt } = await read(stack, fixture, id)
      expect(await eventsOf(stack, id)).toMatchObject([
        {
          kind: fixture.kind,
          eventType: 'PAYMENT_COMPLETED',
          status: 'succeeded',
          operationStatus: fixture.statusFor.done,
          clientCorrelatorId: fieldOf(body, fixture.correlator),
          clientId: 'demo-partner',
          mobileNumber: String(fieldOf(body, fixture.phone)),
          description: expect.stringMatching(/\w/),
          eventTime: new Date(completedAt),
          paymentDate: new Date(completedAt),
        },
      ])
    },
  ],
  [
    '03',
    'MUST turn each refusal of the charging system into its status, with PAYMENT_FAILED and the reason',
    async fixture => {
      for (const refusal of ['declined', 'failed', 'expired'] as const) {
        outcome = { outcome: refusal, reason: `It was ${refusal}` }
        const id = await create(scripted, fixture)
        await scripted.settled()
        const status = fixture.statusFor[refusal]
        expect(await read(scripted, fixture, id)).toMatchObject({
          outcome: 'FAILED',
          transactionOperationStatus: status,
        })
        expect(await eventsOf(scripted, id)).toMatchObject([
          {
            eventType: 'PAYMENT_FAILED',
            status: 'failed',
            operationStatus: status,
            description: `It was ${refusal}`,
            paymentDate: null,
          },
        ])
        if (!fixture.readable) continue
        const { body } = await restOf(scripted)('GET', `${fixture.path}/${id}`, {
          token: tokens.get(scripted),
        })
        expect(body.transactionOperationStatus).toBe(status)
        expect(body).not.toHaveProperty(fixture.dateField!)
      }
    },
  ],
  [
    '04',
    'MUST leave one event for each of many that are settled at once, numbered without gaps',
    async fixture => {
      const ids = await Promise.all(Array.from({ length: 25 }, () => create(stack, fixture)))
      await stack.settled()
      const events = await stack.app.db.event.findMany({ where: { transactionId: { in: ids } } })
      expect(events.map(({ transactionId }) => transactionId).toSorted()).toEqual(ids.toSorted())
      const [{ count, last }] = await stack.app.db.$queryRaw<[{ count: bigint; last: bigint }]>`
        SELECT count(*), max(position) AS last FROM events.event`
      expect(last).toBe(count)
    },
  ],
])

auditServices('BALANCE', MOVING, [
  [
    '01',
    'MUST move the balance by exactly what was posted: 0.1 and 0.2 are 0.3',
    async fixture => {
      const before = await balanceOf(fixture)
      for (const value of [0.1, 0.2]) await create(stack, fixture, worth(fixture, value))
      await stack.settled()
      expect(await balanceOf(fixture)).toBe(before + fixture.balance!.sign * 300)
    },
  ],
  [
    '02',
    'MUST add up 30 parallel transactions exactly',
    async fixture => {
      const before = await balanceOf(fixture)
      const sent = Array.from({ length: 30 }, (_, index) =>
        create(stack, fixture, worth(fixture, (index + 1) / 100)),
      )
      await Promise.all(sent)
      await stack.settled()
      expect(await balanceOf(fixture)).toBe(before + fixture.balance!.sign * 4_650)
    },
  ],
  [
    '03',
    'MUST move nothing for what was refused when it was posted',
    async fixture => {
      const before = await balanceOf(fixture)
      const faulty = withField(worth(fixture, 5), 'webhook.notificationUrl', 'nowhere')
      const created = await INTERFACES[0]!.create(stack, fixture, tokens.get(stack)!, faulty)
      expect(created.status).toBe(400)
      await stack.settled()
      expect(await balanceOf(fixture)).toBe(before)
    },
  ],
])
