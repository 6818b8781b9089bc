/** A database that was copied: recognized as a copy, and confirmed before anything leaves it. */
import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { type Config, readConfig } from '#core/config/config.ts'
import { openDatabase } from '#core/data/db.ts'
import { confirmInstallation, openOutbound } from '#core/data/outbound.ts'
import { createLog } from '#core/observability/log.ts'
import { createMigrated, SECRETS_KEY, withServer } from '#test/support/postgres.ts'
import { onPostgres } from './opened.ts'

const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

const nameOf = (url: string) => new URL(url).pathname.slice(1)

interface Copyable {
  readonly config: Config
  /** The settings of a copy that was started at another place. */
  copy(): Promise<Config>
  /** The settings of the same database at another address or folder. */
  move(): Promise<Config>
}

/** On one server: of Citus each node would be copied. */
const onServer = async (): Promise<Copyable> => {
  const { url, drop } = await createMigrated()
  ends.push(drop)
  const configOf = (name: string) => {
    const address = new URL(url)
    address.pathname = `/${name}`
    return readConfig({ DATABASE_URL: address.href, SECRETS_KEY })
  }
  const name = nameOf(url)
  return {
    config: configOf(name),
    async copy() {
      await withServer(server => server.query(`CREATE DATABASE ${name}_copy TEMPLATE ${name}`))
      ends.push(() => withServer(server => server.query(`DROP DATABASE ${name}_copy WITH (FORCE)`)))
      return configOf(`${name}_copy`)
    },
    async move() {
      const address = new URL(url)
      address.hostname = address.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
      return readConfig({ DATABASE_URL: address.href, SECRETS_KEY })
    },
  }
}

const inFolder = async (): Promise<Copyable> => {
  const folder = mkdtempSync(join(tmpdir(), 'installation-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  const [first, moved, copied] = ['first', 'moved', 'copied'].map(name => join(folder, name))
  return {
    config: readConfig({ DATA_DIR: first }),
    async copy() {
      cpSync(moved!, copied!, { recursive: true })
      return readConfig({ DATA_DIR: copied })
    },
    async move() {
      renameSync(first!, moved!)
      return readConfig({ DATA_DIR: moved })
    },
  }
}

/** Opens the database as a server does, and says what keeps outbound traffic off. */
const startOn = async (config: Config, logLines: string[] = []) => {
  const database = await openDatabase(config)
  const log = createLog('warn', { write: line => void logLines.push(line) })
  const outbound = await openOutbound(database, config, log)
  return { database, outbound, reason: outbound.off() }
}

it('INSTALL-01 MUST know a copy, ask once for a word, and send once it is given; a moved database is none', async () => {
  const { config, copy, move } = await (onPostgres ? onServer() : inFolder())
  const first = await startOn(config)
  expect(first.reason).toBeUndefined()
  await first.database.close()

  const movedConfig = await move()
  const moved = await startOn(movedConfig)
  expect(moved.reason).toBeUndefined()
  await moved.database.close()

  const lines: string[] = []
  const copyConfig = await copy()
  const copied = await startOn(copyConfig, lines)
  expect(copied.reason).toMatch(/copy.*npm run cli -- installation confirm/)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('installation confirm')
  await confirmInstallation(copied.database, copyConfig)
  await expect.poll(() => copied.outbound.off(), { timeout: 10_000 }).toBeUndefined()
  await copied.database.close()
})

it('INSTALL-02 MUST ask nothing of a database that is kept nowhere', async () => {
  if (onPostgres) return
  const { database, reason } = await startOn(readConfig({ DATA_DIR: 'memory:' }))
  expect(reason).toBeUndefined()
  await database.close()
})
