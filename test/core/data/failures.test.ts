/** Failures of the database as its driver gives them, and the failures that clients get. */
import { expect, it } from 'vitest'
import { fromDatabase, isRefusedInput, stateOf } from '#core/data/database-errors.ts'
import { OUTCOME_UNKNOWN, readFailure, statementFailure } from '#core/data/driver-errors.ts'

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

it.each([
  ['no space', '53100', 'no space left'],
  ['a deadlock', '40P01', 'try again shortly'],
  ['a serialization failure', '40001', 'try again shortly'],
  ['a database that is read-only', '25006', 'Nothing can be changed'],
  ['a commit that was not answered', '08007', 'the same clientCorrelatorId'],
])(
  'FAILURE-03 MUST be 503 in words of its own, not those of a database that is away: %s',
  (_, state, words) => {
    const errors = [
      named('ReadFailure', 'x', { meta: { code: state } }),
      named('DriverAdapterError', 'x', { cause: { originalCode: state, kind: 'postgres' } }),
    ]
    for (const error of errors)
      expect(fromDatabase(error)).toMatchObject({ status: 503, message: expect.stringContaining(words) })
  },
)

it('FAILURE-02 a bug MUST not be taken for the database', () => {
  expect(
    fromDatabase(named('TypeError', 'x is not a function', { cause: { originalCode: '57P01' } })),
  ).toBeUndefined()
})

const ofCitus = (message: string) => named('error', message, { code: 'XX000', severity: 'ERROR' })

it.each([
  ['duplicate key value violates unique constraint "payment_pkey_102008"', '23505'],
  ['null value in column "position" of relation "book_102041" violates not-null constraint', '23502'],
  ['new row for relation "delivery_102028" violates check constraint "delivery_pending_is_due"', '23514'],
  ['index row requires 32024 bytes, maximum size is 8191', '54000'],
  ['numeric field overflow', '22003'],
])('FAILURE-04 a row that a node of Citus refused MUST be known as refused: %s', (message, state) => {
  const failure = readFailure(ofCitus(message))
  expect(stateOf(failure as Error)).toBe(state)
  expect(isRefusedInput(failure)).toBe(true)
})

it('FAILURE-05 an internal error of the database MUST stay one', () => {
  const failure = readFailure(ofCitus('could not find block containing chunk'))
  expect([stateOf(failure as Error), isRefusedInput(failure)]).toEqual(['XX000', false])
})

it('FAILURE-06 a commit for which Citus lost a node MUST not be taken for one that was refused', () => {
  const lost = named('error', 'connection to the remote node failed', { code: '08006', severity: 'ERROR' })
  expect(stateOf(readFailure(statementFailure('COMMIT', lost, false)) as Error)).toBe(OUTCOME_UNKNOWN)
  expect(statementFailure('SELECT 1', lost, false)).toBe(lost)
})
