/** `doctor` from inside: what it finds in a database, without changing it. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkInside } from '#cli/doctor/inside.ts'
import { createCipher } from '#core/access/cipher.ts'
import { claimEncryptionKey } from '#core/access/key-check.ts'
import { type Config, readConfig } from '#core/config/config.ts'
import { type Db, openDatabase } from '#core/data/db.ts'
import { lockDataDir } from '#core/data/door.ts'
import { newId } from '#core/values/id.ts'
import { createEmpty, createScratch, SECRETS_KEY } from '../support/postgres.ts'

const POSTGRES = process.env['TEST_DATABASE'] === 'postgres'
const LIMIT_MS = 10_000

const folder = mkdtempSync(join(tmpdir(), 'partner-graph-doctor-'))
let config: Config
let drop = async (): Promise<void> => undefined

const seed = async (db: Db) => {
  const cipher = createCipher(Buffer.from(SECRETS_KEY, 'base64'))
  await claimEncryptionKey(db, cipher)
  const other = createCipher(randomBytes(32))
  const secret = { secretHash: 'x', currencies: ['OMR'], webhookSecretEnds: [] }
  await db.client.create({
    data: {
      id: 'doctor-shop',
      name: 'Shop',
      role: 'partner',
      ...secret,
      webhookSecrets: [other.encrypt('x')],
    },
  })
  const at = new Date(Date.now() - 7_200_000)
  const shared = { eventid: newId(), kind: 'PAYMENT', clientId: 'doctor-shop', createdAt: at }
  const receiver = { url: 'https://hooks.example.com/a', origin: 'https://hooks.example.com' }
  const failed = { attempts: 3, lastStatus: 500, lastError: 'no\nroom.' }
  await db.delivery.create({
    data: {
      ...shared,
      ...receiver,
      ...failed,
      id: newId(),
      transactionId: newId(),
      position: 9_000_001n,
      token: other.encrypt('kept'),
      nextAttemptAt: new Date(Date.now() - 1_800_000),
    },
  })
  await db.delivery.create({
    data: {
      ...shared,
      ...receiver,
      ...failed,
      id: newId(),
      transactionId: newId(),
      position: 9_000_002n,
      status: 'DEAD',
    },
  })
}

const settings = (changes: Record<string, string> = {}) =>
  readConfig({ DATA_DIR: join(folder, 'data'), SECRETS_KEY, DEMO: '0', ...changes })

beforeAll(async () => {
  config = settings()
  if (POSTGRES) {
    const scratch = await createScratch()
    drop = scratch.drop
    config = settings({ DATABASE_URL: scratch.url })
  }
  const { db, close } = await openDatabase(config)
  await seed(db)
  await close()
}, 60_000)
afterAll(async () => {
  await drop()
  rmSync(folder, { recursive: true, force: true })
})

const inside = async (of: Config = config) => {
  const { findings, isRead } = await checkInside(of, LIMIT_MS)
  const all = (check: string) => findings.filter(one => one.check === check)
  return { findings, isRead, all, of: (check: string) => all(check)[0] }
}

describe('doctor from inside', { timeout: 60_000 }, () => {
  it('DOCTOR-20 MUST find the database, its schema and key well', async () => {
    const { of, isRead } = await inside()
    for (const check of ['database', 'schema', 'SECRETS_KEY', 'settling', 'timeline', 'orders', 'disk'])
      expect(of(check), check).toMatchObject({ status: 'well' })
    expect(isRead).toBe(true)
  })

  it('DOCTOR-21 MUST name endpoints that fail, webhooks that are late, and those that were given up', async () => {
    const { all, of } = await inside()
    const [failing, dead] = all('endpoints')
    expect(failing).toMatchObject({
      status: 'degraded',
      text: '1 webhook(s) of doctor-shop to https://hooks.example.com wait after failed attempts, the oldest for 2 h, the last answered 500: no room: tell the partner; they are sent again by themselves.',
    })
    expect(dead).toMatchObject({
      status: 'degraded',
      text: expect.stringMatching(/^1 webhook\(s\) of the last two days/),
    })
    expect(of('webhooks due')).toMatchObject({
      status: 'degraded',
      text: expect.stringContaining('30 min: see whether a server'),
    })
  })

  it('DOCTOR-22 MUST name clients and webhooks whose secrets cannot be read', async () => {
    const texts = (await inside()).all('secrets').map(({ text }) => text)
    expect(texts[0]).toMatch(/^Webhooks of doctor-shop cannot be signed/)
    expect(texts[1]).toMatch(/^1 waiting webhook\(s\) cannot be sent/)
  })

  it('DOCTOR-23 MUST say that the key is another one', async () => {
    const other = randomBytes(32).toString('base64')
    const { of } = await inside({ ...config, secretsKey: other })
    expect(of('SECRETS_KEY')).toMatchObject({
      status: 'broken',
      text: expect.stringMatching(/^SECRETS_KEY is not the one .* Start with the key it had before\.$/),
    })
    const text = JSON.stringify(await inside({ ...config, secretsKey: other }))
    expect(text).not.toContain(other)
  })
})

describe.skipIf(!POSTGRES)('doctor on PostgreSQL', { timeout: 60_000 }, () => {
  it('DOCTOR-30 MUST tell clocks, connections and size', async () => {
    const { of } = await inside()
    for (const check of ['database clock', 'connections', 'disk'])
      expect(of(check), check).toMatchObject({ status: 'well' })
    const greedy = await inside({ ...config, databasePoolSize: 1_000 })
    expect(greedy.of('connections')).toMatchObject({
      status: 'degraded',
      text: expect.stringMatching(
        /^\d+ connections of the database are left, and another process wants 1001/,
      ),
    })
  })

  it('DOCTOR-31 MUST leave an empty database as it is', async () => {
    const empty = await createEmpty()
    try {
      const { of, isRead } = await inside({ ...config, databaseUrl: empty.url, databaseDirectUrl: empty.url })
      expect(of('schema')).toMatchObject({ status: 'unchecked', text: expect.stringContaining('is empty') })
      expect(isRead).toBe(false)
      const again = await inside({ ...config, databaseUrl: empty.url, databaseDirectUrl: empty.url })
      expect(again.of('schema')?.text).toContain('is empty')
    } finally {
      await empty.drop()
    }
  })

  it('DOCTOR-32 MUST say that a database lacks migrations, or is newer', async () => {
    const { db, close } = await openDatabase(config)
    const [row] = await db.$queryRawUnsafe<{ last: string }[]>(
      'SELECT max(migration_name) AS last FROM public._prisma_migrations',
    )
    await db.$executeRawUnsafe(`INSERT INTO access.served_from VALUES ('20991231000000_later', '99.1.0')`)
    const newer = await inside()
    await db.$executeRawUnsafe('DELETE FROM access.served_from')
    const setRolledBack = (value: string) =>
      db.$executeRawUnsafe(
        `UPDATE public._prisma_migrations SET rolled_back_at = ${value} WHERE migration_name = '${row!.last}'`,
      )
    await setRolledBack('now()')
    const older = await inside()
    await setRolledBack('NULL')
    await close()
    expect(newer.of('schema')).toMatchObject({
      status: 'broken',
      text: expect.stringContaining('run 99.1.0 or a later version'),
    })
    expect(older.of('schema')).toMatchObject({
      status: 'broken',
      text: expect.stringContaining('run npm run db:migrate'),
    })
    expect(older.of('settling')).toBeUndefined()
  })

  it('DOCTOR-34 MUST say that the database takes no writes, which looking at it does not show', async () => {
    const empty = await createEmpty()
    const url = new URL(empty.url)
    url.searchParams.set('options', '-c default_transaction_read_only=on')
    const of = { ...config, databaseUrl: url.href, databaseDirectUrl: url.href }
    try {
      expect((await inside(of)).of('database hosts')).toMatchObject({
        status: 'broken',
        text: expect.stringMatching(/is the primary and takes no writes: name the primary in DATABASE_URL/),
      })
      expect((await inside({ ...of, readOnly: true })).of('database hosts')).toBeUndefined()
      expect((await inside()).of('database hosts')).toBeUndefined()
    } finally {
      await empty.drop()
    }
  })

  it('DOCTOR-33 MUST say that the database is away, or silent, within its limit, without its password', async () => {
    // Accepts connections and says nothing.
    const mute = createServer()
    await once(mute.listen(0, '127.0.0.1'), 'listening')
    const url = new URL(config.databaseUrl!)
    url.password = 'a-password'
    for (const port of ['1', String((mute.address() as AddressInfo).port)]) {
      url.port = port
      const began = performance.now()
      const { findings, of } = await inside({ ...config, databaseUrl: url.href, databaseDirectUrl: url.href })
      expect(performance.now() - began).toBeLessThan(LIMIT_MS + 5_000)
      expect(of('database')).toMatchObject({
        status: 'broken',
        text: expect.stringContaining('see whether it runs'),
      })
      expect(JSON.stringify(findings)).not.toContain('a-password')
    }
    mute.close()
  })
})

describe.skipIf(POSTGRES)('doctor on the embedded database', { timeout: 60_000 }, () => {
  it('DOCTOR-40 MUST say that a running process holds it, and look at its disk', async () => {
    const { release: unlock } = await lockDataDir(config.dataDir)
    const { of, isRead } = await inside()
    unlock()
    expect(of('database')).toMatchObject({
      status: 'unchecked',
      text: expect.stringContaining('held by a running process'),
    })
    expect(of('disk')).toMatchObject({ status: 'well', text: expect.stringMatching(/ are free in /) })
    expect(isRead).toBe(false)
  })

  it('DOCTOR-41 MUST say that its key is missing, and make none', async () => {
    const dataDir = join(folder, 'without-key')
    cpSync(config.dataDir, dataDir, { recursive: true })
    const { of } = await inside({ ...config, dataDir, secretsKey: undefined })
    expect(of('SECRETS_KEY')).toMatchObject({ status: 'broken', text: expect.stringContaining('is missing') })
    expect(of('outbound traffic')?.status).toMatch(/^(unchecked|degraded)$/)
    expect(readdirSync(dataDir)).not.toContain('secrets.key')
  })

  it('DOCTOR-42 MUST say that it cannot be opened', async () => {
    const dataDir = join(folder, 'spoilt')
    cpSync(config.dataDir, dataDir, { recursive: true })
    rmSync(join(dataDir, 'pglite', 'global'), { recursive: true })
    const { of } = await inside({ ...config, dataDir })
    expect(of('database')).toMatchObject({
      status: 'broken',
      text: expect.stringContaining('restore it from a backup'),
    })
  })
})
