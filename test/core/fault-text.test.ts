/** Reports of a start that fails: one sentence for each cause. */
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { hintAtFirstClient } from '#core/access/access.ts'
import { readConfig } from '#core/config/config.ts'
import { faultText } from '#core/data/database-errors.ts'
import { checkSchema, type Database, openDatabase, requireSchema } from '#core/data/db.ts'
import { SetupError } from '#core/errors/catalogue.ts'
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
  for (const text of errors.map(faultText)) {
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

test('FAULT-03 a bug is none', () => {
  expect(faultText(new TypeError('x is undefined'))).toBeUndefined()
  expect(faultText(new SetupError('one sentence'))).toBe('one sentence')
})

test('FAULT-04 MUST refuse a schema that is newer or older, in one line', async () => {
  const { prisma } = database
  const FIRST = '20261120000000_init'
  await prisma.$executeRaw`
    INSERT INTO public._prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '29990101000000_later', now())`
  for (const work of [checkSchema(database), requireSchema(database, config)]) {
    const text = faultText(await failureOf(work))
    expect(text).toMatch(/^The database is newer than this program: .*29990101000000_later[^\n]*$/)
  }
  await prisma.$executeRaw`DELETE FROM public._prisma_migrations WHERE id = 'x'`
  await prisma.$executeRaw`
    UPDATE public._prisma_migrations SET finished_at = NULL WHERE migration_name = ${FIRST}`
  expect(faultText(await failureOf(checkSchema(database)))).toMatch(
    /^The database is older than this program: .*20261120000000_init.*npm run db:migrate$/,
  )
  await prisma.$executeRaw`
    UPDATE public._prisma_migrations SET finished_at = now() WHERE migration_name = ${FIRST}`
  await checkSchema(database)
})

test('FAULT-05 MUST say how the first client is added, while there is none and tokens are issued here', async () => {
  const lines: string[] = []
  const log = { warn: (line: string) => void lines.push(line) }
  await hintAtFirstClient(database.prisma, { auth: { ...config.auth, jwksUrl: 'https://x' } }, log)
  expect(lines).toEqual([])
  await hintAtFirstClient(database.prisma, config, log)
  await database.prisma.client.create({ data: { id: 'a', name: 'a', role: 'partner', secretHash: '' } })
  await hintAtFirstClient(database.prisma, config, log)
  expect(lines).toEqual([expect.stringMatching(/npm run cli -- clients add --id my-partner --role partner$/)])
})

test('FAULT-06 prints help or the version, and nothing where neither is asked for', () => {
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const asked = [['--help'], ['-h'], ['--version'], ['messaging']].map(args => printUsage('npm start', args))
  const texts = print.mock.calls.map(([text]) => text)
  print.mockRestore()
  expect(asked).toEqual([true, true, true, false])
  expect(texts).toEqual([
    expect.stringMatching(/^npm start\n\nSettings/),
    expect.stringMatching(/^npm start\n\nSettings/),
    expect.stringMatching(/^\d+\.\d+\.\d+$/),
  ])
})
