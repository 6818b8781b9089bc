/** Subscriptions over WebSocket: who gets which events, with what in them. */

import { describe, expect, test } from 'vitest'
import { fixtureOf, pay, payment } from '#test/core/webhooks/support.ts'
import { createGraph } from '../../support/graph.ts'
import { createRest } from '../../support/rest.ts'
import type { Result } from '../../support/subscribe.ts'
import { listening, open, other, PAYMENTS, partner, portal, stack, useClients } from './clients.ts'

useClients()

/** Where the log stands, so that a test gets what comes after, however long its connection takes. */
const latest = async (): Promise<string> => {
  const { data } = await createGraph(stack.address)('{ events(first: 1) { edges { cursor } } }', {
    token: portal,
  })
  return data.events.edges[0].cursor
}

const idsOf = (results: Result[]) => results.map(({ data }) => data.paymentEvents.eventDetail.paymentId)

describe('what comes', () => {
  test('SUB-01 without a cursor, what happens from now on comes, and nothing from before', async () => {
    using socket = open(partner)
    using events = socket.subscribe('subscription { paymentEvents { eventDetail { paymentId } } }')
    await listening(1)
    const id = await pay(stack, partner)
    expect(idsOf(await events.take(1))).toEqual([id])
  })

  test('SUB-02 an event is what a webhook gets, field by field, with any field of the graph', async () => {
    const after = await latest()
    using socket = open(partner)
    using events = socket.subscribe(
      `subscription Renamed($after: String, $full: Boolean!) {
        happened: paymentEvents(after: $after) {
          cursor eventid type: eventType eventTime
          eventDetail { paymentId clientCorrelatorId status description paymentDate }
          ...Paid
          skipped: cursor @skip(if: $full)
        }
      }
      fragment Paid on PaymentEvent {
        payment @include(if: $full) { outcome subscriber { mobileNumber pointsBalance prepaidBalance { value } }
          customer { customerName } } }`,
      { after, full: true },
    )
    const body = payment('100001', '96891000001')
    const id = await pay(stack, partner, body)
    const { data, errors } = await events.next()
    expect(errors).toBeUndefined()
    expect(data.happened).toEqual({
      cursor: expect.any(String),
      eventid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'PAYMENT_COMPLETED',
      eventTime: expect.any(String),
      eventDetail: {
        paymentId: id,
        clientCorrelatorId: body.paymentTransaction.clientCorrelatorId,
        status: 'succeeded',
        description: expect.any(String),
        paymentDate: data.happened.eventTime,
      },
      payment: {
        outcome: 'COMPLETED',
        subscriber: { mobileNumber: '+96891000001', pointsBalance: expect.any(Number), prepaidBalance: null },
        customer: { customerName: 'Salim Al Harthy' },
      },
    })
  })

  test.each(['PAYMENT', 'RECHARGE', 'MESSAGE', 'REWARD', 'REDEMPTION'])(
    'SUB-03 events of a %s, in its own subscription and in that over all',
    async kind => {
      const { typename, idField, path, body } = fixtureOf(kind)
      const noun = typename.toLowerCase()
      const after = await latest()
      using socket = open(partner)
      using own = socket.subscribe(
        `subscription ($after: String) { ${noun}Events(after: $after) {
        cursor eventid eventType eventTime eventDetail { ${idField} clientCorrelatorId status description paymentDate }
        ${noun} { id transactionOperationStatus } } }`,
        { after },
      )
      using all = socket.subscribe(
        `subscription ($after: String) { transactionEvents(after: $after) {
        cursor eventid kind transaction { id outcome } } }`,
        { after },
      )
      const posted = await createRest(stack.address)('POST', path, { token: partner, body: body() })
      const id = posted.body[idField]
      const event = (await own.next()).data[`${noun}Events`]
      expect(event.eventDetail[idField]).toBe(id)
      expect(event[noun].id).toBe(id)
      const same = (await all.next()).data.transactionEvents
      expect(same).toMatchObject({ cursor: event.cursor, eventid: event.eventid, kind, transaction: { id } })
    },
  )

  test('SUB-04 filters: own id, number, account and type', async () => {
    const after = await latest()
    using socket = open(partner)
    const ids = [
      await pay(stack, partner, payment('100001', '96891000001')),
      await pay(stack, partner, payment('100002')),
      await pay(stack, partner, payment('100001')),
    ]
    await stack.settled()
    const take = async (filter: object, count: number) => {
      using events = socket.subscribe(PAYMENTS, { after, filter })
      return idsOf(await events.take(count))
    }
    expect(await take({}, 3)).toEqual(ids)
    expect(await take({ paymentId: ids[1] }, 1)).toEqual([ids[1]])
    expect(await take({ mobileNumber: '+96891000001' }, 1)).toEqual([ids[0]])
    expect(await take({ customerAccountNumber: '100001' }, 2)).toEqual([ids[0], ids[2]])
    expect(await take({ eventTypes: ['PAYMENT_COMPLETED'] }, 3)).toEqual(ids)
    expect(await take({ customerAccountNumber: '100001', paymentId: ids[2] }, 1)).toEqual([ids[2]])
  })

  test('SUB-05 events lists the same log: newest first, or oldest first behind a cursor', async () => {
    const after = await latest()
    const ids = [await pay(stack, partner), await pay(stack, other), await pay(stack, partner)]
    await stack.settled()
    const read = async (token: string, args: string) => {
      const { data, errors } = await createGraph(stack.address)(
        `{ events(${args}) { totalCount edges { cursor node { cursor transaction { id } } } pageInfo { hasNextPage } } }`,
        { token },
      )
      expect(errors).toEqual([])
      for (const { cursor, node } of data.events.edges) expect(node.cursor).toBe(cursor)
      return data.events.edges.map(
        (edge: { node: { transaction: { id: string } } }) => edge.node.transaction.id,
      )
    }
    expect(await read(portal, 'first: 3')).toEqual(ids.toReversed())
    expect(await read(portal, `after: "${after}", orderBy: OLDEST_FIRST`)).toEqual(ids)
    expect(await read(partner, `after: "${after}", orderBy: OLDEST_FIRST`)).toEqual([ids[0], ids[2]])
    expect(await read(other, 'filter: { kinds: [PAYMENT] }, first: 1')).toEqual([ids[1]])
  })
})

describe('who gets it', () => {
  test('SUB-06 a partner gets its own events alone, live and replayed; portal and analyst get all', async () => {
    const after = await latest()
    using mine = open(partner)
    using theirs = open(await stack.token('demo-analyst'))
    using replayed = mine.subscribe(PAYMENTS, { after })
    using everything = theirs.subscribe(PAYMENTS, { after })
    const ids = [await pay(stack, other), await pay(stack, partner), await pay(stack, other)]
    expect(idsOf(await everything.take(3))).toEqual(ids)
    const last = await pay(stack, partner)
    expect(idsOf(await replayed.take(2))).toEqual([ids[1], last])
    using none = mine.subscribe(PAYMENTS, { after, filter: { paymentId: ids[0] } })
    using own = mine.subscribe(PAYMENTS, { after, filter: { paymentId: last } })
    await own.next()
    expect(await Promise.race([none.next(), Promise.resolve('nothing')])).toBe('nothing')
  })

  test('SUB-07 a token bound to a number gets events of that number, and may not ask for another', async () => {
    const id = `bound-${Date.now()}`
    const bound = await stack.token({
      id,
      name: 'Bound',
      role: 'portal',
      phoneNumber: '96891000002',
    } as never)
    const after = await latest()
    await pay(stack, partner, payment('100001', '96891000001'))
    const mine = await pay(stack, partner, payment('100002', '96891000002'))
    using socket = open(bound)
    using events = socket.subscribe(PAYMENTS, { after })
    expect(idsOf(await events.take(1))).toEqual([mine])
    using refused = socket.subscribe(PAYMENTS, { after, filter: { mobileNumber: '+96891000001' } })
    expect(await refused.ended).toMatchObject([
      { extensions: { code: 'CARRIER_BILLING.INVALID_TOKEN_CONTEXT', http: { status: 403 } } },
    ])
  })

  test('SUB-08 what a role may not see is null with an error, and the rest of the event is there', async () => {
    const after = await latest()
    using socket = open(partner)
    using events = socket.subscribe(
      'subscription ($after: String) { paymentEvents(after: $after) { cursor payment { id postedBy { id } } } }',
      { after },
    )
    const id = await pay(stack, partner)
    const { data, errors } = await events.next()
    expect(data.paymentEvents.payment).toEqual({ id, postedBy: null })
    expect(errors).toMatchObject([
      { path: ['paymentEvents', 'payment', 'postedBy'], extensions: { code: 'PERMISSION_DENIED' } },
    ])
  })
})
