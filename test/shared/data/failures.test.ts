/** Failures of the database as its driver gives them, and what a client is told. */
import { expect, it } from 'vitest'
import { fromDatabase } from '../../../subgraphs/shared/data/database-errors.ts'

const named = (name: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { name, ...more })
const ENDED = 'terminating connection due to administrator command'
const cause = { originalCode: '57P01', kind: 'postgres' }

it.each([
  ['a statement', named('PrismaClientKnownRequestError', ENDED, { meta: { driverAdapterError: { cause } } })],
  ['the begin or end of a transaction', named('DriverAdapterError', 'x', { cause })],
  ['the driver’s own words', named('error', ENDED)],
  ['a connection that ended', named('Error', 'Connection terminated unexpectedly')],
  ['a server that stops', named('error', 'the database system is shutting down')],
])('FAILURE-01 a connection that an operator ended MUST be 503: %s', (_, error) => {
  expect(fromDatabase(error)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 })
})

it('FAILURE-02 a bug MUST not be taken for the database', () => {
  expect(
    fromDatabase(named('TypeError', 'x is not a function', { cause: { originalCode: '57P01' } })),
  ).toBeUndefined()
})
