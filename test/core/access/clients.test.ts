/** Adding, finding, rotating and disabling clients. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limitsOf } from '#core/access/claims.ts'
import type { NewClient } from '#core/access/client-input.ts'
import { createClients } from '#core/access/clients.ts'
import { verifySecret } from '#core/access/secrets.ts'
import { createWebhookSecrets } from '#core/access/webhook-secrets.ts'
import { oneByOne } from '#core/errors/faults.ts'
import type { Reason } from '#core/errors/reasons.ts'
import { readingThrough } from '#test/support/statements.ts'
import { deadPrisma, openAccess, refusal } from './support.ts'

let opened: Awaited<ReturnType<typeof openAccess>>
beforeAll(async () => {
  opened = await openAccess()
})
afterAll(() => opened.close())

test('CLIENT-01 a client is added with its limits; the secret is returned and kept as a hash alone', async () => {
  const { clients } = opened.access
  const { id, role, secret } = await clients.add({
    id: 'shop-1',
    role: 'partner',
    name: 'Shop',
    phoneNumber: '91000001',
    currencies: ['OMR', 'USD', 'OMR'],
    maxAmount: '100.5',
    monthlyAmount: '1000',
    maxPoints: '50.25',
    monthlyPoints: '500',
    dummyCards: true,
  })
  expect([id, role]).toEqual(['shop-1', 'partner'])
  const record = (await clients.find('shop-1'))!
  expect(record).toMatchObject({ name: 'Shop', phoneNumber: '96891000001', currencies: ['OMR', 'USD'] })
  expect(JSON.stringify(record)).not.toContain(secret)
  expect(await verifySecret(secret, record.secretHash)).toBe(true)
  const { maxAmount, monthlyAmount, maxPoints, monthlyPoints, dummyCards } = limitsOf(record)
  expect([maxAmount, monthlyAmount, maxPoints, monthlyPoints].map(String)).toEqual([
    '100.5',
    '1000',
    '50.25',
    '500',
  ])
  expect(dummyCards).toBe(true)
})

test('CLIENT-02 left out: the name is the id, OMR alone, nothing limited, real cards', async () => {
  const { clients } = opened.access
  await clients.add({ id: 'plain', role: 'portal' })
  const record = (await clients.find('plain'))!
  expect([record.name, record.phoneNumber]).toEqual(['plain', null])
  expect(limitsOf(record)).toEqual({ currencies: ['OMR'], dummyCards: false })
})

test('CLIENT-03 a given secret is taken', async () => {
  const added = await opened.access.clients.add({ id: 'demo', role: 'analyst', secret: 'demo-secret' })
  expect(added).toEqual({ id: 'demo', role: 'analyst', secret: 'demo-secret' })
})

test('CLIENT-04 an id that exists is refused and says so', async () => {
  const { clients } = opened.access
  await clients.add({ id: 'twice', role: 'partner' })
  const error = await refusal(clients.add({ id: 'twice', role: 'portal' }))
  expect([error.code, error.message]).toEqual([
    'INVALID_ARGUMENT',
    'id must be new: there is a client twice already',
  ])
})

describe('CLIENT-05 wrong values are refused, naming the field', () => {
  test.each<[field: string, wrong: Record<string, unknown>, reason?: Reason]>([
    ['id', { id: '' }],
    ['id', { id: 'a b' }],
    ['id', { id: 'a:b' }],
    ['id', { id: '-a' }],
    ['id', { id: 'x'.repeat(129) }],
    ['role', { role: 'admin' }, 'UNKNOWN_VALUE'],
    ['name', { name: '' }],
    ['name', { name: 'a\nb' }],
    ['phoneNumber', { phoneNumber: '12' }, 'BAD_PHONE_NUMBER'],
    ['currencies', { currencies: [] }, 'TOO_FEW'],
    ['currencies', { currencies: ['OMX'] }, 'UNKNOWN_CURRENCY'],
    ['currencies', { currencies: ['omr'] }, 'UNKNOWN_CURRENCY'],
    ['maxAmount', { maxAmount: '0' }, 'TOO_SMALL'],
    ['maxAmount', { maxAmount: '-1' }, 'TOO_SMALL'],
    ['maxAmount', { maxAmount: '1.0001' }, 'TOO_MANY_DECIMALS'],
    ['maxAmount', { maxAmount: '1000000000000' }, 'TOO_MANY_DIGITS'],
    ['monthlyAmount', { monthlyAmount: 'many' }, 'WRONG_TYPE'],
    ['maxPoints', { maxPoints: '1.001' }, 'TOO_MANY_DECIMALS'],
    ['monthlyPoints', { monthlyPoints: 'NaN' }, 'WRONG_TYPE'],
    ['secret', { secret: 'short' }],
    ['secret', { secret: 'with\nbreak' }],
  ])('%s %o', async (field, wrong, reason = 'BAD_FORMAT') => {
    const client = { id: 'wrong', role: 'partner', ...wrong } as NewClient
    const error = await refusal(opened.access.clients.add(client))
    expect([error.code, error.message.split(' ')[0]]).toEqual(['INVALID_ARGUMENT', field])
    expect(error.extensions).toMatchObject({ field, reason })
    expect(await opened.access.clients.find('wrong')).toBeUndefined()
  })
})

test('CLIENT-16 all faults are reported at once, each with its field', async () => {
  const wrong = { id: 'a b', role: 'partner', maxAmount: '0', quotas: { openStreams: '0' } } as const
  const error = await refusal(opened.access.clients.add(wrong))
  expect(oneByOne(error).map(({ extensions }) => extensions)).toMatchObject([
    { field: 'id', reason: 'BAD_FORMAT' },
    { field: 'maxAmount', reason: 'TOO_SMALL' },
    { field: 'openStreams', reason: 'BAD_FORMAT' },
  ])
})

test('CLIENT-06 the list is ordered by id and holds no hash', async () => {
  const list = await opened.access.clients.list()
  expect(list.map(({ id }) => id)).toEqual(list.map(({ id }) => id).toSorted())
  expect(list.length).toBeGreaterThan(1)
  expect(JSON.stringify(list)).not.toContain('scrypt')
})

test('CLIENT-07 rotating gives a new secret and ends the old one at once', async () => {
  const { clients } = opened.access
  const before = await clients.add({ id: 'rotated', role: 'portal' })
  await clients.find('rotated')
  const after = await clients.rotate('rotated')
  expect(after).toMatchObject({ id: 'rotated', role: 'portal' })
  const { secretHash } = (await clients.find('rotated'))!
  expect(await verifySecret(after.secret, secretHash)).toBe(true)
  expect(await verifySecret(before.secret, secretHash)).toBe(false)
})

test('CLIENT-15 MUST accept the secret before until its end, and never the one before that', async () => {
  const { clients, issuer } = opened.access
  const accepts = (secret: string) =>
    issuer!.authenticate({ clientId: 'overlap', address: '192.0.2.1' }, secret).then(
      () => true,
      () => false,
    )
  const first = await clients.add({ id: 'overlap', role: 'partner' })
  const second = await clients.rotate('overlap', 60_000)
  expect(second.previousEndsAt).toEqual(new Date(opened.clock.now() + 60_000))
  expect([await accepts(first.secret), await accepts(second.secret)]).toEqual([true, true])
  const third = await clients.rotate('overlap', 60_000)
  expect([await accepts(first.secret), await accepts(second.secret)]).toEqual([false, true])
  opened.clock.pass(60_000)
  expect([await accepts(second.secret), await accepts(third.secret)]).toEqual([false, true])
})

test('CLIENT-08 rotating or disabling a client that is not there: NOT_FOUND', async () => {
  const { clients } = opened.access
  for (const work of [clients.rotate, clients.disable]) {
    const error = await refusal(work('nobody'))
    expect([error.code, error.message]).toEqual(['NOT_FOUND', 'Client nobody not found'])
  }
})

test("CLIENT-09 another process's change is seen within two seconds; until then nothing is read", async () => {
  const { access, db, clock } = opened
  await access.clients.add({ id: 'seen', role: 'partner' })
  await access.clients.find('seen')
  await createClients(db, { countryCode: '968' }).disable('seen')
  expect((await access.clients.find('seen'))!.disabledAt).toBeNull()
  clock.pass(2_000)
  expect((await access.clients.find('seen'))!.disabledAt).toBeInstanceOf(Date)
})

test('CLIENT-10 lookups at the same time share one query', async () => {
  let queries = 0
  const db = readingThrough(opened.db, async () => {
    queries++
    return []
  })
  const { find } = createClients(db, { countryCode: '968' })
  await Promise.all(Array.from({ length: 50 }, () => find('shared')))
  expect(queries).toBe(1)
})

test('CLIENT-11 database out of reach: 503, and not remembered', async () => {
  const { find } = createClients(deadPrisma, { countryCode: '968' })
  for (let i = 0; i < 2; i++) expect((await refusal(find('any'))).code).toBe('SERVICE_UNAVAILABLE')
})

test.each(['\u202eevil', 'a\u2066b', 'zero\u200bwidth', 'soft\u00adhyphen', 'bell\u0007'])(
  'CLIENT-12 a name with a direction mark or a control character is refused: %j',
  async name => {
    const error = await refusal(opened.access.clients.add({ id: 'marked', role: 'partner', name }))
    expect(error.message).toMatch(/^name must be/)
  },
)

const HOUR_MS = 3_600_000

test('CLIENT-13 a webhook secret rotated by another process signs within two seconds, the one before until its end', async () => {
  const { access, clock, db } = opened
  const clients = createClients(db, { countryCode: '968', now: clock.now })
  const another = createWebhookSecrets(db, access.cipher, clients, clock.now)
  const signing = () => another.of('rotating', clock.time)
  await access.clients.add({ id: 'rotating', role: 'partner' })
  const { secret: first } = await access.webhookSecrets.rotate('rotating', 24)
  expect(await signing()).toEqual([first])
  const { secret: second, previousEndsAt } = await access.webhookSecrets.rotate('rotating', 24)
  expect(previousEndsAt!.getTime()).toBe(clock.time + 24 * HOUR_MS)
  expect(await access.webhookSecrets.of('rotating', clock.time)).toEqual([second, first])
  clock.pass(2_000)
  expect(await signing()).toEqual([second, first])
  clock.pass(HOUR_MS)
  const third = await access.webhookSecrets.rotate('rotating', 720)
  clock.pass(23 * HOUR_MS)
  expect(await signing()).toEqual([third.secret, second])
  await access.webhookSecrets.finishRotation('rotating')
  clock.pass(2_000)
  expect(await signing()).toEqual([third.secret])
})

test('CLIENT-14 a webhook secret that has no end signs along until the next rotation gives it one', async () => {
  const { access, clock, db } = opened
  await access.clients.add({ id: 'endless', role: 'partner' })
  const webhookSecrets = ['b', 'a'].map(access.cipher.encrypt)
  await db.client.update({ where: { id: 'endless' }, data: { webhookSecrets } })
  expect(await access.webhookSecrets.of('endless', clock.time + 1e12)).toEqual(['b', 'a'])
  const { secret } = await access.webhookSecrets.rotate('endless', 1)
  expect(await access.webhookSecrets.of('endless', clock.time)).toEqual([secret, 'b', 'a'])
  expect(await access.webhookSecrets.of('endless', clock.time + HOUR_MS)).toEqual([secret])
})
