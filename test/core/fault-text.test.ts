/** Reports of a start that fails: one sentence for each cause. */
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { errorText } from '#cli/output.ts'
import { hintAtFirstClient } from '#core/access/access.ts'
import { readConfig } from '#core/config/config.ts'
import { VERSION } from '#core/config/project-files.ts'
import { faultText } from '#core/data/database-errors.ts'
import { checkSameSchema, checkSchema, type Database, openDatabase, requireSchema } from '#core/data/db.ts'
import { SetupError, unavailable } from '#core/errors/catalogue.ts'
import { printUsage } from '#core/usage.ts'
import { openEmpty } from '#test/support/embedded.ts'

const config = readConfig({ DATA_DIR: 'memory:' })
const DATABASE_URL = 'postgresql://operator:hidden@127.0.0.1:1/nowhere'
let database: Database
beforeAll(async () => {
  database = await openEmpty()
})
afterAll(() => database.close())

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    error => error,
  )

test('FAULT-01 MUST tell a database out of reach in one line, without its password', async () => {
  const SECRETS_KEY = Buffer.alloc(32, 1).toString('base64')
  const away = await openDatabase(readConfig({ DATABASE_URL, SECRETS_KEY }))
  const errors = [
    await failureOf(checkSchema(away)),
    await failureOf(new pg.Client({ connectionString: DATABASE_URL }).connect()),
  ]
  await away.close()
  for (const text of errors.map(error => faultText(error))) {
    expect(text).toMatch(/^The database of DATABASE_URL cannot be used: [^\n`]*127\.0\.0\.1:1$/)
    expect(text).not.toContain('hidden')
  }
})

test('FAULT-02 MUST tell a database that is not there, or lets nobody in', () => {
  for (const [code, message] of [
    ['3D000', 'database "x" does not exist'],
    ['28P01', 'password authentication failed for user "x"'],
  ]) {
    const error = Object.assign(new Error(message), { code })
    expect(faultText(error)).toBe(`The database of DATABASE_URL cannot be used: ${message}`)
  }
})

test('FAULT-10 MUST say what to do about a database that takes no writes, whatever a client is told', async () => {
  const { db } = database
  await db.$executeRaw`SET default_transaction_read_only = on`
  const refused = await failureOf(db.$executeRaw`DELETE FROM access.client`).finally(
    () => db.$executeRaw`SET default_transaction_read_only = off`,
  )
  const masked = unavailable('The signing keys cannot be read at the moment', { cause: refused })
  for (const error of [refused, masked]) {
    for (const text of [faultText(error), errorText(error)])
      expect(text).toMatch(/^The database takes no writes.* name the primary in DATABASE_URL/)
  }
  expect(errorText(unavailable('Try again', { cause: new TypeError('x is undefined') }))).toBe('Try again')
})

test('FAULT-03 a bug is none', () => {
  expect(faultText(new TypeError('x is undefined'))).toBeUndefined()
  expect(faultText(new SetupError('one sentence'))).toBe('one sentence')
})

const addUnknownMigration = () => database.db.$executeRaw`
  INSERT INTO public._prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '29990101000000_later', now())`

test('FAULT-04 MUST refuse a schema that has lost what this version uses, or is older, in one line', async () => {
  const { db } = database
  const FIRST = '20261120000000_init'
  const log = { info: vi.fn() }
  await addUnknownMigration()
  await db.$executeRaw`INSERT INTO access.served_from VALUES ('29990101000000_later', '999.0.0')`
  for (const work of [checkSchema(database), requireSchema(database, config, log)]) {
    const text = faultText(await failureOf(work))
    expect(text).toMatch(
      /^The database is newer than this program: versions from 999\.0\.0 on .*29990101000000_later[^\n]*: run 999\.0\.0 or a later version$/,
    )
  }
  expect(log.info).not.toHaveBeenCalled()
  await db.$executeRaw`DELETE FROM access.served_from`
  await db.$executeRaw`DELETE FROM public._prisma_migrations WHERE id = 'x'`
  await db.$executeRaw`
    UPDATE public._prisma_migrations SET finished_at = NULL WHERE migration_name = ${FIRST}`
  expect(faultText(await failureOf(checkSchema(database)))).toMatch(
    /^The database is older than this program: .*20261120000000_init.*npm run db:migrate$/,
  )
  await db.$executeRaw`
    UPDATE public._prisma_migrations SET finished_at = now() WHERE migration_name = ${FIRST}`
  await checkSchema(database)
})

test('FAULT-09 MUST start on a schema that a later version has only expanded, and say so in one line', async () => {
  const { db } = database
  const log = { info: vi.fn() }
  await addUnknownMigration()
  for (const version of ['0.0.9', VERSION]) {
    await db.$executeRaw`INSERT INTO access.served_from VALUES (${version}, ${version})`
    await requireSchema(database, config, log)
  }
  await checkSchema(database)
  expect(log.info.mock.calls).toEqual(
    Array(2).fill([{ version: VERSION, migrations: ['29990101000000_later'] }, expect.any(String)]),
  )
  await expect(checkSameSchema(database)).rejects.toThrow(
    /copy it by the version that knows 29990101000000_later$/,
  )
  await db.$executeRaw`DELETE FROM access.served_from`
  await db.$executeRaw`DELETE FROM public._prisma_migrations WHERE id = 'x'`
  await checkSameSchema(database)
})

test('FAULT-05 MUST say how the first client is added, while there is none and tokens are issued here', async () => {
  const lines: string[] = []
  const log = { warn: (line: string) => void lines.push(line) }
  await hintAtFirstClient(database.db, { auth: { ...config.auth, jwksUrl: 'https://x' } }, log)
  expect(lines).toEqual([])
  await hintAtFirstClient(database.db, config, log)
  await database.db.client.create({ data: { id: 'a', name: 'a', role: 'partner', secretHash: '' } })
  await hintAtFirstClient(database.db, config, log)
  expect(lines).toEqual([expect.stringMatching(/npm run cli -- clients add --id my-partner --role partner$/)])
})

test('FAULT-06 prints help or the version, and nothing where neither is requested', () => {
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const printed = [['--help'], ['-h'], ['--version'], ['messaging']].map(args =>
    printUsage('npm start', args, 1),
  )
  const texts = print.mock.calls.map(([text]) => text)
  print.mockRestore()
  expect(printed).toEqual([true, true, true, false])
  expect(texts).toEqual([
    expect.stringMatching(/^npm start\n\nSettings/),
    expect.stringMatching(/^npm start\n\nSettings/),
    expect.stringMatching(/^\d+\.\d+\.\d+$/),
  ])
})

test('FAULT-11 MUST refuse words that a command does not take, and say where settings are given', () => {
  const refuse = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const before = process.exitCode
  const printed = [
    printUsage('npm start\n\nServes.', ['PORT=1']),
    printUsage('npm x -- <name>', ['a', 'b'], 1),
  ]
  const { exitCode } = process
  process.exitCode = before
  const texts = refuse.mock.calls.map(([text]) => text)
  refuse.mockRestore()
  expect(printed).toEqual([true, true])
  expect(exitCode).toBe(1)
  expect(texts).toEqual([
    expect.stringMatching(
      /^There is no PORT=1 to give: it is "npm start", with settings as environment variables/,
    ),
    expect.stringMatching(/^There is no b to give: it is "npm x -- <name>"/),
  ])
})
