/** Backup, restore and copies of the database: everything is there again, and nothing leaves a server on a copy by itself. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import { type CopySession, differencesBetween } from '#core/data/copy-rows.ts'
import { openDatabase } from '#core/data/db.ts'
import { createEmpty, type Scratch } from '#test/support/postgres.ts'
import { type ServerProcess, startProcess } from '#test/support/process.ts'
import { startSteadyLoad, tokenAt } from '#test/support/steady-load.ts'
import { createSpawnedCli } from './run.ts'

const onPostgres = process.env['TEST_DATABASE'] === 'postgres'
const LONG_MS = 180_000
const folder = mkdtempSync(join(tmpdir(), 'partner-graph-backup-'))
const place = (name: string) => join(folder, name)
const original = place('original')
const file = place('backup.gz')
const DEMO = { DEMO: '1' }
const cli = createSpawnedCli(original, DEMO)

let server: ServerProcess | undefined
let scratch: Scratch | undefined
let answered: ReadonlySet<string>

const start = (env: Record<string, string>) => startProcess({ LOG_LEVEL: 'info', ...DEMO, ...env })

const paymentsIn = async (env: Record<string, string>): Promise<Set<string>> => {
  const database = await openDatabase(readConfig(env))
  try {
    return new Set((await database.db.payment.findMany({ select: { id: true } })).map(({ id }) => id))
  } finally {
    await database.close()
  }
}

beforeAll(async () => {
  server = await start({ DATA_DIR: original })
}, LONG_MS)
afterAll(async () => {
  await server?.stop()
  await scratch?.drop()
  rmSync(folder, { recursive: true, force: true })
}, LONG_MS)

it(
  'BACKUP-01 MUST write a backup while the server runs under load, with every payment that was answered before',
  async () => {
    const { address } = server!
    const token = await tokenAt(address)
    const load = startSteadyLoad({ addresses: () => [address], token: async () => token })
    await load.more(50)
    const before = new Set(load.answered)
    const made = await cli('backup', file, '--json')
    expect([made.code, made.stderr]).toEqual([0, ''])
    expect(JSON.parse(made.stdout)).toMatchObject({ file, running: true, clients: 5 })
    await load.more(20)
    await load.stop()
    expect(load.faults).toEqual([])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await server!.stop()
    server = undefined
    answered = load.answered

    const restored = place('restored')
    mkdirSync(restored)
    copyFileSync(join(original, 'secrets.key'), join(restored, 'secrets.key'))
    const done = await createSpawnedCli(restored, DEMO)('restore', file)
    expect([done.code, done.stderr]).toEqual([0, ''])
    const found = await paymentsIn({ DATA_DIR: restored })
    expect([...before].filter(id => !found.has(id))).toEqual([])
  },
  LONG_MS,
)

it(
  'BACKUP-02 MUST send nothing from a restored database until an operator agrees',
  async () => {
    const restored = place('restored')
    const copy = await start({ DATA_DIR: restored })
    const ready = await (await fetch(`${copy.address}/health/ready`)).json()
    expect(ready).toMatchObject({ status: 'ready', degraded: [{ part: 'outbound traffic', serving: true }] })
    await tokenAt(copy.address)
    await copy.stop()
    const confirmed = await createSpawnedCli(restored)('installation', 'confirm')
    expect(confirmed.stdout).toContain('servers here send')
  },
  LONG_MS,
)

it(
  'BACKUP-03 MUST refuse what it cannot restore, and leave no half database behind',
  async () => {
    const over = await cli('restore', file)
    expect([over.code, over.stderr]).toEqual([1, expect.stringContaining('There is a database in')])
    const elsewhere = createSpawnedCli(place('elsewhere'), DEMO)
    const keyless = await elsewhere('restore', file)
    expect([keyless.code, keyless.stderr]).toEqual([1, expect.stringContaining('secrets.key')])
    writeFileSync(place('half.gz'), readFileSync(file).subarray(0, 200_000))
    const half = await elsewhere('restore', place('half.gz'))
    expect([half.code, half.stderr]).toEqual([1, expect.stringContaining('was cut off')])
    copyFileSync(join(original, 'secrets.key'), join(place('elsewhere'), 'secrets.key'))
    const whole = await elsewhere('restore', file)
    expect([whole.code, whole.stderr]).toEqual([0, ''])
    const missing = await createSpawnedCli(place('nothing'))('backup', place('none.gz'))
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('There is no database in')])
  },
  LONG_MS,
)

const session = (client: pg.Client): CopySession => ({
  query: async (sql, values = []) => (await client.query(sql, [...values])).rows,
})

/** Values that a copy could lose: null beside empty, quotes, Arabic, zeros at the end, members of lists. */
const NASTY = `INSERT INTO access.client (id, name, role, secret_hash, currencies, max_amount, webhook_secrets, quotas)
  VALUES ('nasty', E'"\\\\ {,} NULL \\n عمان 🌴', 'partner', '', '{"",NULL,"NULL","a\\"b,c{}"}', 100.5000, '{}', '{"a": 1.50, "ب": null}')`

it.skipIf(!onPostgres)(
  'COPY-01 MUST copy every row, number, sequence and secret to PostgreSQL and back, and take more writes there',
  async () => {
    const source = await openDatabase(readConfig({ DATA_DIR: original }))
    await source.db.$executeRawUnsafe(NASTY)
    await source.close()
    scratch = await createEmpty()
    const there = await cli('database', 'copy', '--to', scratch.url, '--json')
    expect([there.code, there.stderr]).toEqual([0, ''])
    const copied = JSON.parse(there.stdout)
    expect(copied.rows).toBeGreaterThan(answered.size * 3)

    const SECRETS_KEY = readFileSync(join(original, 'secrets.key'), 'utf8').trim()
    const settings = { DATABASE_URL: scratch.url, SECRETS_KEY }
    const found = await paymentsIn(settings)
    expect([...answered].filter(id => !found.has(id))).toEqual([])

    const server = await start(settings)
    const token = await tokenAt(server.address)
    const load = startSteadyLoad({ addresses: () => [server.address], token: async () => token })
    await load.more(20)
    await load.stop()
    await server.stop()
    expect(load.faults).toEqual([])

    const back = place('back')
    const again = await createSpawnedCli(original, settings)('database', 'copy', '--to', back, '--json')
    expect([again.code, again.stderr]).toEqual([0, ''])
    const all = await paymentsIn({ DATA_DIR: back })
    expect([...answered, ...load.answered].filter(id => !all.has(id))).toEqual([])
    const returned = await openDatabase(readConfig({ DATA_DIR: back }))
    const nasty = await returned.db.$queryRaw`
      SELECT name, currencies::text, max_amount::text AS amount, quotas::text FROM access.client WHERE id = 'nasty'`
    await returned.close()
    expect(nasty).toEqual([
      {
        name: '"\\ {,} NULL \n عمان 🌴',
        currencies: '{"",NULL,"NULL","a\\"b,c{}"}',
        amount: '100.5000',
        quotas: '{"a": 1.50, "ب": null}',
      },
    ])
    const shown = await createSpawnedCli(back)('installation', 'show')
    expect(shown.stdout).toContain('servers here send nothing until')
  },
  LONG_MS,
)

it.skipIf(!onPostgres)(
  'COPY-02 MUST refuse a database that is not empty, and find a single value that differs',
  async () => {
    const full = await cli('database', 'copy', '--to', scratch!.url)
    expect([full.code, full.stderr]).toEqual([1, expect.stringContaining('is not empty')])
    const [one, other] = [new pg.Client(scratch!.url), new pg.Client(scratch!.url)]
    await Promise.all([one.connect(), other.connect()])
    await one.query('BEGIN')
    await one.query(`UPDATE access.client SET max_amount = 100.5001 WHERE id = 'nasty'`)
    await one.query(`SELECT setval('audit.act_id_seq', 999999)`)
    const differences = await differencesBetween(session(one), session(other))
    await one.query('ROLLBACK')
    await Promise.all([one.end(), other.end()])
    // A sequence is set for all at once, whatever the transaction comes to.
    expect(differences).toEqual(['access.client'])
  },
  LONG_MS,
)
