/** The cipher, and where its key comes from. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CipherError, createCipher } from '#core/access/cipher.ts'
import { changeKeyFile, loadEncryptionKeys } from '#core/access/encryption-keys.ts'

const loadEncryptionKey = (settings: { secretsKey: string | undefined; dataDir: string }) =>
  loadEncryptionKeys({ ...settings, secretsKeysAlso: [] }).key

const key = Buffer.alloc(32, 1)
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'access-cipher-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('CIPHER-01 what was encrypted is decrypted, and does not show its text', () => {
  const { encrypt, decrypt } = createCipher(key)
  for (const text of ['', 'token-1', 'عمان 🌴', 'x'.repeat(10_000)]) {
    expect(decrypt(encrypt(text))).toBe(text)
    expect(encrypt(text)).toMatch(/^v1\.[\w-]+$/)
  }
})

test('CIPHER-02 equal texts are encrypted differently', () => {
  const { encrypt } = createCipher(key)
  expect(encrypt('same')).not.toBe(encrypt('same'))
})

test('CIPHER-03 another key is refused with a message that says so', () => {
  const sealed = createCipher(key).encrypt('token-1')
  const open = () => createCipher(Buffer.alloc(32, 2)).decrypt(sealed)
  expect(open).toThrow(CipherError)
  expect(open).toThrow(/SECRETS_KEY/)
})

test('CIPHER-04 every altered character, and anything cut short, is refused', () => {
  const { encrypt, decrypt } = createCipher(key)
  const sealed = encrypt('token-1')
  for (let at = 3; at < sealed.length - 1; at++) {
    const other = sealed[at] === 'A' ? 'B' : 'A'
    expect(() => decrypt(sealed.slice(0, at) + other + sealed.slice(at + 1))).toThrow(CipherError)
    expect(() => decrypt(sealed.slice(0, at))).toThrow(CipherError)
  }
  for (const text of ['', 'v2.abc', 'token-1']) expect(() => decrypt(text)).toThrow(CipherError)
})

test('CIPHER-05 a key that is not 32 bytes is refused', () => {
  expect(() => createCipher(Buffer.alloc(16))).toThrow(/32 bytes/)
})

test('CIPHER-06 SECRETS_KEY is the key; memory: gets one that is not kept', () => {
  const secretsKey = key.toString('base64')
  expect(loadEncryptionKey({ secretsKey, dataDir: 'memory:' })).toEqual(key)
  expect(loadEncryptionKey({ secretsKey: undefined, dataDir: 'memory:' })).toHaveLength(32)
})

test('CIPHER-07 the embedded key is made once, readable by its owner alone, and found again', () => {
  const dataDir = join(folder, 'new')
  const made = loadEncryptionKey({ secretsKey: undefined, dataDir })
  expect(loadEncryptionKey({ secretsKey: undefined, dataDir })).toEqual(made)
  expect(readdirSync(dataDir)).toEqual(['secrets.key'])
  expect(statSync(join(dataDir, 'secrets.key')).mode & 0o777).toBe(0o600)
  expect(Buffer.from(readFileSync(join(dataDir, 'secrets.key'), 'utf8'), 'base64')).toEqual(made)
})

test('CIPHER-08 a damaged key file is not replaced but reported', () => {
  writeFileSync(join(folder, 'secrets.key'), 'short')
  expect(() => loadEncryptionKey({ secretsKey: undefined, dataDir: folder })).toThrow(
    /secrets\.key must hold 32 bytes/,
  )
  expect(readFileSync(join(folder, 'secrets.key'), 'utf8')).toBe('short')
})

test('CIPHER-09 further keys decrypt, and the first encrypts', () => {
  const [old, other] = [createCipher(key), Buffer.alloc(32, 3)]
  const both = createCipher(other, [key])
  expect(both.decrypt(old.encrypt('token-1'))).toBe('token-1')
  expect(createCipher(other).decrypt(both.encrypt('token-2'))).toBe('token-2')
  expect(() => old.decrypt(both.encrypt('token-2'))).toThrow(CipherError)
})

test('CIPHER-10 a change of the key file reads both until it is finished, and goes on after a stop', () => {
  const settings = { secretsKey: undefined, secretsKeysAlso: [], dataDir: join(folder, 'changed') }
  const { key: before } = loadEncryptionKeys(settings)
  const { key: after } = changeKeyFile(settings)
  expect(loadEncryptionKeys(settings)).toEqual({ key: before, others: [after] })
  const again = changeKeyFile(settings)
  expect([again.key, again.others]).toEqual([after, [before]])
  again.finish()
  expect(loadEncryptionKeys(settings)).toEqual({ key: after, others: [] })
  const [, former] = readdirSync(settings.dataDir).toSorted()
  expect(former).toMatch(/^secrets\.key\.until-[\dTZ.-]+$/)
  expect(readFileSync(join(settings.dataDir, former!), 'utf8').trim()).toBe(before.toString('base64'))
})
