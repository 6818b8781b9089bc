/** Shared by tests of interventions: a stack, a partner that posts, and the operator's portal. */

import { afterAll, beforeAll, expect } from 'vitest'
import { readBalances } from '#core/charging/booking.ts'
import { graphOf, INTERFACES } from '../../support/both-interfaces.ts'
import { withField } from '../../support/fields.ts'
import { FIXTURES } from '../../support/fixtures/all.ts'
import type { GraphError } from '../../support/graph.ts'
import { type Stack, startStack } from '../../support/stack.ts'

export const NUMBER = '96891000003'

export let stack: Stack

export let partner: string

export let portal: string

export const fixtureOf = (kind: string) => FIXTURES.find(fixture => fixture.kind === kind)!

/** Posts one of a kind; points are of a number that has 9,000 of them at first. */
export const post = async (kind: string, value = 1.5, number = NUMBER) => {
  const fixture = fixtureOf(kind)
  const valued = withField(fixture.body(), fixture.points ?? fixture.money?.amount ?? 'priority', value)
  const body = fixture.points ? withField(valued, fixture.phone, number) : fixture.body()
  const { id } = await INTERFACES[0]!.create(stack, fixture, partner, body)
  return id!
}

const FIELDS = `id kind outcome transactionOperationStatus reason completedAt
  interventions { action reason by { id name } correlator requestedAt carriedOutAt refusal }`

type Field = 'cancelTransaction' | 'reverseTransaction'

export const ask = (query: string, token: string, variables: object = {}, headers?: Record<string, string>) =>
  graphOf(stack)(query, { token, variables, headers })

/** The transaction as it is then, or the error. */
export const operate = async (
  field: Field,
  id: string,
  {
    reason = 'Wrong number',
    token = portal,
    headers,
  }: { reason?: string; token?: string; headers?: Record<string, string> } = {},
) => {
  const text = `mutation ($id: ID!, $reason: String!) { ${field}(id: $id, reason: $reason) { ${FIELDS} } }`
  const { data, errors } = await ask(text, token, { id, reason }, headers)
  return { transaction: data?.[field], error: errors[0] as GraphError }
}

export const statusOf = async (kind: string, id: string) => {
  const { single, idField } = fixtureOf(kind)
  const query = `{ ${single}(${idField}: "${id}") { transactionOperationStatus outcome reason } }`
  return (await ask(query, partner)).data[single]
}

export const pointsOf = async (holder = NUMBER) => {
  const [points] = await readBalances(stack.app.db, [{ kind: 'points', owner: holder, currency: '' }])
  return points!.toNumber()
}

export const eventsOf = async (id: string) =>
  (await stack.app.db.event.findMany({ where: { transactionId: id }, orderBy: { position: 'asc' } })).map(
    ({ eventType, operationStatus, description }) => [eventType, operationStatus, description],
  )

export const expectRefused = (error: GraphError, code: string, reason: string, text: string) =>
  expect([error.extensions.code, error.extensions.reason, error.message]).toEqual([
    code,
    reason,
    expect.stringContaining(text),
  ])

/** Starts the stack before the file's tests. */
export const useInterventions = () => {
  beforeAll(async () => {
    stack = await startStack({ env: { LOG_LEVEL: 'silent' } })
    partner = await stack.token()
    portal = await stack.token('demo-portal')
  })
  afterAll(() => stack[Symbol.asyncDispose]())
}
