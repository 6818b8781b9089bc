/**
 * Every status that the contract lists can be reached, along the kind's transitions alone, and is shown as the contract
 * says: by REST, in the graph, by an event and by its webhook.
 */
import { afterAll, beforeAll, expect } from 'vitest'
import type { ChargeResult, EmbeddedCharging } from '#core/charging/charging.ts'
import { createLedger } from '#core/charging/ledger.ts'
import type { Statements } from '#core/data/db.ts'
import { COLUMNS } from '#core/transactions/columns.ts'
import { mayFollow, type Settlement, type TransactionRow, tableOf } from '#core/transactions/kind.ts'
import { finalize, recordProgress } from '#core/transactions/settle/finalize.ts'
import { settlement as reward } from '#subgraphs/loyalty/rules.ts'
import { settlement as message } from '#subgraphs/messaging/rules.ts'
import { settlement as payment } from '#subgraphs/postpaid-billing/rules.ts'
import { settlement as recharge } from '#subgraphs/prepaid/rules.ts'
import { settlement as redemption } from '#subgraphs/redemption/rules.ts'
import { type Receiver, startReceiver } from '#test/core/webhooks/receiver.ts'
import { auditServices } from '../support/audit.ts'
import { graphOf, INTERFACES, restOf } from '../support/both-interfaces.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import type { ServiceFixture } from '../support/fixtures/fixture.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { CONTRACT, type Way } from './status-ways.ts'

const SETTLEMENTS = new Map<string, Settlement>(
  [payment, recharge, message, reward, redemption].map(one => [one.kind.name, one]),
)
const OUTCOMES = ['done', 'declined', 'failed', 'expired', 'cancelled', 'invalid'] as const

const resultOf = (outcome: ChargeResult['outcome']): ChargeResult =>
  outcome === 'done' ? { outcome } : { outcome, reason: `It was ${outcome}` }

let scripted: ChargeResult
const obedient: EmbeddedCharging = {
  ...createLedger(),
  post: async (_, orders) => orders.map(() => scripted),
}

let stack: Stack
let receiver: Receiver
let partner: string
let portal: string
beforeAll(async () => {
  receiver = await startReceiver()
  stack = await startStack({ charging: obedient, env: { WEBHOOK_ALLOW: '127.0.0.1', LOG_LEVEL: 'silent' } })
  partner = await stack.token()
  portal = await stack.token('demo-portal')
})
afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
})

const serviceOf = ({ name }: ServiceFixture) => stack.server.services.find(service => service.name === name)!

const create = async (fixture: ServiceFixture) => {
  const body = { ...fixture.body(), webhook: { notificationUrl: receiver.url } }
  const { id } = await INTERFACES[0]!.create(stack, fixture, partner, body)
  return id!
}

const lock = async (tx: Statements, { kind }: Settlement, id: string) =>
  (
    await tx.$queryRaw<TransactionRow<never>[]>`
    SELECT ${COLUMNS} FROM ${tableOf(kind)} t WHERE t.id = ${id}::uuid FOR UPDATE`
  )[0]!

/** Records progress as a connector does. */
const hold = (settlement: Settlement, id: string, isReserved: boolean) =>
  stack.app.db.$transaction(async tx => {
    const row = await lock(tx, settlement, id)
    return recordProgress(tx, settlement, [{ row, progress: { outcome: 'pending', isReserved } }])
  })

const operate = async (mutation: string, id: string) => {
  const text = `mutation ($id: ID!) { ${mutation}(id: $id, reason: "It was asked for") { id } }`
  const { errors } = await graphOf(stack)(text, { token: portal, variables: { id } })
  expect(errors).toEqual([])
}

/** Posts one and leads it there; what is pending in between is not settled. */
const reach = async (fixture: ServiceFixture, way: Way): Promise<string> => {
  const service = serviceOf(fixture)
  await service.stop()
  const id = await create(fixture)
  if (way === 'created') return id
  if (way === 'pending' || way === 'reserved') {
    await hold(SETTLEMENTS.get(fixture.kind)!, id, way === 'reserved')
    return id
  }
  if (way === 'cancelTransaction') {
    await operate(way, id)
    return id
  }
  scripted = resultOf(way === 'reverseTransaction' ? 'done' : way)
  await service.start()
  await service.settled()
  if (way === 'reverseTransaction') await operate(way, id)
  return id
}

/** The events of a transaction whose status is of these outcomes, and so has them. */
const EVENTS = {
  PENDING: [],
  COMPLETED: [['PAYMENT_COMPLETED', 'succeeded']],
  FAILED: [['PAYMENT_FAILED', 'failed']],
  CANCELLED: [['PAYMENT_FAILED', 'failed']],
  REVERSED: [
    ['PAYMENT_COMPLETED', 'succeeded'],
    ['PAYMENT_FAILED', 'failed'],
  ],
}

const expectTold = async (fixture: ServiceFixture, id: string, status: string) => {
  const { kind } = SETTLEMENTS.get(fixture.kind)!
  const { single, idField } = fixture
  const text = `{ ${single}(${idField}: "${id}") { transactionOperationStatus outcome } }`
  const { data } = await graphOf(stack)(text, { token: partner })
  const outcome = kind.outcomes[status]!
  expect(data[single]).toEqual({ transactionOperationStatus: status, outcome })
  if (fixture.readable) {
    const { body } = await restOf(stack)('GET', `${fixture.path}/${id}`, { token: partner })
    expect(body.transactionOperationStatus).toBe(status)
  }
  const events = await stack.app.db.event.findMany({
    where: { transactionId: id },
    orderBy: { position: 'asc' },
  })
  expect(events.map(one => [one.eventType, one.status])).toEqual(EVENTS[outcome])
  if (events.length > 0) expect(events.at(-1)).toMatchObject({ operationStatus: status })
  await stack.server.deliverer.idle()
  const posted = receiver.received.filter(({ body }) => body.event.eventDetail[idField] === id)
  const wanted = kind.callsWebhook ? EVENTS[outcome] : []
  expect(posted.map(({ body: { event } }) => [event.eventType, event.eventDetail.status])).toEqual(wanted)
}

const setStatus = (tx: Statements, { kind }: Settlement, id: string, status: string) =>
  tx.$executeRaw`UPDATE ${tableOf(kind)} SET status = ${status}, completed_at = NULL WHERE id = ${id}::uuid`

class Undo extends Error {}

/** Does something to a row with a status, and rolls it back; returns what became of it. */
const attempt = async (
  settlement: Settlement,
  id: string,
  status: string,
  act: (tx: Statements, row: TransactionRow<never>) => Promise<unknown>,
): Promise<string> => {
  let became = 'refused'
  await stack.app.db
    .$transaction(async tx => {
      await setStatus(tx, settlement, id, status)
      await act(tx, await lock(tx, settlement, id))
      became = (await lock(tx, settlement, id)).status
      throw new Undo()
    })
    .catch(error => {
      if (!(error instanceof Undo) && !/may not become/.test(error.message)) throw error
    })
  return became
}

auditServices('STATUS', FIXTURES, [
  [
    '01',
    'MUST reach every status of the contract, and tell it as the contract says',
    async fixture => {
      const ways = CONTRACT[fixture.kind]!
      const { kind } = SETTLEMENTS.get(fixture.kind)!
      expect(Object.keys(kind.outcomes).toSorted()).toEqual(Object.keys(ways).toSorted())
      for (const [status, way] of Object.entries(ways))
        await expectTold(fixture, await reach(fixture, way), status)
    },
  ],
  [
    '02',
    'MUST let a status follow another only where the transitions say so, whatever a charging system tells',
    async fixture => {
      const settlement = SETTLEMENTS.get(fixture.kind)!
      const { kind, statusFor } = settlement
      const id = await reach(fixture, 'created')
      const tried = { taken: 0, refused: 0 }
      for (const status of Object.keys(kind.outcomes)) {
        for (const outcome of OUTCOMES) {
          const became = await attempt(settlement, id, status, (tx, row) =>
            finalize(tx, settlement, [{ row, result: resultOf(outcome) }]),
          )
          const mayBe = mayFollow(kind, status, statusFor[outcome])
          expect({ status, outcome, became }).toEqual({
            status,
            outcome,
            became: mayBe ? statusFor[outcome] : 'refused',
          })
          tried[mayBe ? 'taken' : 'refused'] += 1
        }
      }
      expect(Math.min(tried.taken, tried.refused)).toBeGreaterThan(0)
    },
  ],
  [
    '03',
    'MUST take back nothing that has gone further, when an order is said to be held',
    async fixture => {
      const settlement = SETTLEMENTS.get(fixture.kind)!
      const { kind, heldAs } = settlement
      const id = await reach(fixture, 'created')
      for (const status of Object.keys(kind.outcomes)) {
        for (const isReserved of [false, true]) {
          const became = await attempt(settlement, id, status, (tx, row) =>
            recordProgress(tx, settlement, [{ row, progress: { outcome: 'pending', isReserved } }]),
          )
          const held = status === kind.initial ? heldAs?.[isReserved ? 'reserved' : 'pending'] : undefined
          expect({ status, isReserved, became }).toEqual({ status, isReserved, became: held ?? status })
        }
      }
    },
  ],
])
