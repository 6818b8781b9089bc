/** A request that a rule refuses is answered by the transaction that it was posted as before, if it was. */
import { describe, expect, it, vi } from 'vitest'
import type { App } from '#core/context/app.ts'
import { invalidField, ServiceError } from '#core/errors/catalogue.ts'
import { alreadyPosted, correlatorKey, createIdempotency } from '#core/transactions/post/check.ts'
import { MESSAGE } from '#subgraphs/messaging/kind.ts'
import { PAYMENT } from '#subgraphs/postpaid-billing/kind.ts'

const REQUEST = { paymentTransaction: { clientCorrelatorId: 'c-1' } }
const refusal = invalidField('amount', 'TOO_SMALL', 'must be greater than 0')

/** A database in which the client has posted these correlators. */
const stage = (posted: Record<string, string> = {}) => {
  const $queryRaw = vi.fn(async () =>
    Object.entries(posted).map(([clientCorrelatorId, id]) => ({ id, clientId: 'shop', clientCorrelatorId })),
  )
  const idempotent = createIdempotency({ db: { $queryRaw } } as unknown as App, PAYMENT)
  const post = (request: unknown, work: () => Promise<unknown>) =>
    idempotent('shop', request, work).catch((error: unknown) => error)
  return { post, $queryRaw }
}

const failing = (error: unknown) => async () => {
  throw error
}

describe('a request', () => {
  it('that passes is posted without a look-up', async () => {
    const { post, $queryRaw } = stage({ 'c-1': 'first' })
    expect(await post(REQUEST, async () => 'row')).toBe('row')
    expect($queryRaw).not.toHaveBeenCalled()
  })

  it('that is refused, and was posted before, is answered with the first', async () => {
    const { post } = stage({ 'c-1': 'first' })
    expect(await post(REQUEST, failing(refusal))).toMatchObject({
      extensions: { existingId: 'first', reason: 'DUPLICATE_CORRELATOR' },
      message:
        'paymentTransaction.clientCorrelatorId c-1 already exists on the server: it is paymentId first',
    })
  })

  it('that is refused, and was not posted before, gets the reason', async () => {
    const { post } = stage({ 'c-2': 'another' })
    expect(await post(REQUEST, failing(refusal))).toBe(refusal)
  })

  it.each([
    ['without a correlator', { paymentTransaction: {} }, refusal],
    ['that failed on the server', REQUEST, new ServiceError('SERVICE_UNAVAILABLE', 'later')],
    ['that failed unexpectedly', REQUEST, new Error('broken')],
    ['that was recognised under the lock', REQUEST, alreadyPosted(PAYMENT, 'c-1', 'first')],
  ])('%s is not looked up', async (_, request, error) => {
    const { post, $queryRaw } = stage({ 'c-1': 'first' })
    expect(await post(request, failing(error))).toBe(error)
    expect($queryRaw).not.toHaveBeenCalled()
  })
})

describe('the refusal of a second request', () => {
  it('has a Location only where a transaction can be read by REST', () => {
    expect(alreadyPosted(PAYMENT, 'c-1', 'first').headers).toEqual({
      location: '/postpaid-billing/v1/payments/first',
    })
    expect(alreadyPosted(MESSAGE, 'c-1', 'first')).toMatchObject({
      headers: {},
      message: 'clientCorrelatorId c-1 already exists on the server: it is otlTransactionId first',
    })
  })
})

it('keys of correlators cannot be confused', () => {
  const keys = [
    ['a', 'b,c'],
    ['a,b', 'c'],
    ['a"', '"b'],
    ['a', undefined],
  ].map(([clientId, clientCorrelatorId]) => correlatorKey({ clientId: clientId!, clientCorrelatorId }))
  expect(new Set(keys).size).toBe(keys.length)
})
