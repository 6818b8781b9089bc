/** Secrets and their hashes, and the gate that bounds how many are computed at once. */
import { scryptSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { DECOY_HASH, hashSecret, newSecret, verifySecret } from '#core/access/secrets.ts'
import { createConcurrencyLimit } from '#core/async/limits.ts'
import { refusal } from './support.ts'

test('SECRET-01 a new secret has 256 bits in url-safe characters', () => {
  expect(newSecret()).toMatch(/^[\w-]{43}$/)
  expect(newSecret()).not.toBe(newSecret())
})

test('SECRET-02 the hash verifies its own secret alone, and states its parameters', async () => {
  const hash = await hashSecret('demo-secret')
  expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=1\$/)
  expect(await verifySecret('demo-secret', hash)).toBe(true)
  expect(await verifySecret('demo-secreT', hash)).toBe(false)
  expect(await verifySecret('', hash)).toBe(false)
  expect(await hashSecret('demo-secret')).not.toBe(hash)
})

test('SECRET-03 parameters are read from the hash, so that they can be raised later', async () => {
  const salt = Buffer.alloc(16, 7)
  const hash = scryptSync('demo-secret', salt, 32, { N: 2 ** 10, r: 4, p: 2 })
  const weaker = `$scrypt$ln=10,r=4,p=2$${salt.toString('base64url')}$${hash.toString('base64url')}`
  expect(await verifySecret('demo-secret', weaker)).toBe(true)
  await expect(verifySecret('anything', 'plain')).rejects.toThrow(/secret hash/)
})

test('SECRET-04 the decoy verifies nothing', async () => {
  expect(await verifySecret('', DECOY_HASH)).toBe(false)
})

test('GATE-01 so many run, so many wait, the next is refused with 503, and all others are served', async () => {
  const gate = createConcurrencyLimit({ running: 2, waiting: 3 })
  const { promise: signal, resolve: go } = Promise.withResolvers<void>()
  let running = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++running)
    await signal
    running--
    return 'done'
  }
  const admitted = Array.from({ length: 5 }, () => gate(work))
  expect((await refusal(gate(work))).status).toBe(503)
  go()
  expect(await Promise.all(admitted)).toEqual(Array(5).fill('done'))
  expect(most).toBe(2)
})

test('GATE-02 failing work gives its place back', async () => {
  const gate = createConcurrencyLimit({ running: 1, waiting: 0 })
  const fail = () => Promise.reject(new Error('failed'))
  for (let i = 0; i < 3; i++) await expect(gate(fail)).rejects.toThrow('failed')
  expect(await gate(async () => 1)).toBe(1)
})

test('GATE-03 one key cannot take all places', async () => {
  const gate = createConcurrencyLimit({ running: 1, waiting: 10, waitingPerKey: 2 })
  const ends: (() => void)[] = []
  const work = () => new Promise<void>(end => ends.push(end))
  const [first, second] = [gate(work, 'a'), gate(async () => undefined, 'a')]
  await expect(gate(work, 'a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  const another = gate(async () => 'done', 'b')
  await expect.poll(() => ends.length).toBe(1)
  ends[0]!()
  await Promise.all([first, second])
  expect(await another).toBe('done')
  expect(await gate(async () => 'again', 'a')).toBe('again')
})
