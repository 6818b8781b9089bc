/**
 * Upgrades and ways back with two instances under load: nothing is lost, nothing happens twice, and no client is told of
 * an error. Two pairs of versions are tried:
 *
 * - **the version before and this one**, which comes out of git: `test/soak/upgrade/versions.ts` names its commit, and
 *   `UPGRADE_FROM` another one. A checkout without that commit skips it in one line. A version from before
 *   `access.served_from` starts on its own schema alone, so that the way back begins with the statement of
 *   docs/operating.md, and the way forward with the one that takes it back.
 * - **this version and a later one**, a copy of this checkout that expands the database further. It shows in every
 *   checkout that one can go back to this version.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultsOf, writtenBy } from './instances/database.ts'
import { faultsOfLimits } from './instances/limits.ts'
import { openUpgrade, type UpgradeStage, WORKERS } from './upgrade/stage.ts'
import { FROM, makeLater, ROOT, THIS, takeEarlier, type Version } from './upgrade/versions.ts'

const TIMEOUT = { timeout: 600_000 }
const migrationsOf = (root: string): string[] =>
  readdirSync(join(root, 'prisma/migrations'))
    .filter(name => /^\d/.test(name))
    .toSorted()

const MIGRATE = ['prisma/migrate.ts']

/**
 * Statements of docs/operating.md with the last migration that a version knows: the one after which it starts on a
 * database that later versions have expanded, and the one that takes it back.
 */
const documented = ({ root }: Version): string[] => {
  const last = migrationsOf(root).at(-1)!
  const page = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8')
  const statements = page.match(/^UPDATE public\._prisma_migrations [^;]*/gm)!
  return statements.map(one => one.replace(/'\d+_\w+'/, `'${last}'`))
}

const SLOW = /try again shortly|took (longer|too long)/
/**
 * A moment without the database is one such answer for each of the workers at the most; a server that refuses while it
 * stops would refuse at each stop.
 */
const PASSING_AT_MOST = WORKERS

const checkAnswers = ({ partner, reader }: UpgradeStage) => {
  expect([...partner.unforeseen, ...reader.unforeseen]).toEqual([])
  const passing = partner.passing.filter(one => !SLOW.test(one))
  expect(passing.slice(PASSING_AT_MOST)).toEqual([])
}

/** Whether a version starts on a database that a later one has expanded. */
const comesBack = ({ root }: Version) => existsSync(join(root, 'core/data/served-from.ts'))

const checkNothingLost = async (stage: UpgradeStage) => {
  const { db, partner, receiver, instances } = stage
  expect(instances.flatMap(({ unexpected }) => unexpected).join('\n')).toBe('')
  checkAnswers(stage)
  expect(await faultsOf(db)).toEqual([])
  const written = await writtenBy(db)
  const acknowledged = partner.answered.filter(({ id }) => id !== undefined)
  expect(written.map(row => `${row.clientId} ${row.correlator} ${row.id}`).toSorted()).toEqual(
    acknowledged.map(one => `${one.client} ${one.correlator} ${one.id!}`).toSorted(),
  )
  const { over, wrongly } = faultsOfLimits(partner.answered, written)
  expect({ over, wrongly }).toEqual({ over: [], wrongly: [] })
  const ids = written.map(({ id }) => id)
  const events = await db.event.findMany({ where: { transactionId: { in: ids }, kind: { not: 'MESSAGE' } } })
  const received = new Set(
    receiver.received.map(({ body }) => `${body.eventSubscriptionid} ${body.event.eventid}`),
  )
  expect([...received].toSorted()).toEqual(
    events.map(({ eventid, transactionId }) => `${transactionId} ${eventid}`).toSorted(),
  )
}

/** Starts the earlier version in place of the later one, by the documented statements where it would refuse. */
const comeBack = async ({ db, run, roll }: UpgradeStage, earlier: Version, later: Version) => {
  if (comesBack(earlier)) return roll(earlier)
  const [putAside, takeBack] = documented(earlier)
  const refused = await run(earlier, ['gateway/main.ts'])
  expect(refused.output).toContain('The database is newer than this program')
  await db.$executeRawUnsafe(putAside!)
  await roll(earlier)
  await db.$executeRawUnsafe(takeBack!)
  expect(await run(later, MIGRATE)).toEqual({ status: 0, output: 'Nothing to apply\n' })
  await roll(later)
}

/** Goes to the later version and back to the earlier one. */
const goAndComeBack = async (earlier: Version, later: Version) => {
  await using stage = await openUpgrade(earlier)
  await stage.postToBoth()
  const migrated = await stage.run(later, MIGRATE)
  const added = migrationsOf(later.root).slice(migrationsOf(earlier.root).length)
  expect(migrated.output).toContain(added.length > 0 ? `Applied ${added.join(', ')}\n` : 'Nothing to apply\n')
  await stage.postToBoth()
  await stage.roll(later)
  await comeBack(stage, earlier, later)
  await stage.stop()
  const { answered, repeats, passing } = stage.partner
  console.log(
    `from ${earlier.name} to ${later.name} and back: ${answered.length} posts answered, ${repeats} sent again, ${passing.length} of them after 503 or 504\n${migrated.output}`,
  )
  await checkNothingLost(stage)
}

const onPostgres = process.env['TEST_DATABASE'] === 'postgres'
if (onPostgres && FROM.missing) console.log(`The upgrade from ${FROM.commit} is skipped: ${FROM.missing}`)

describe.runIf(onPostgres)('two instances under load', () => {
  it.skipIf(FROM.missing)(
    'UPGRADE-01 MUST lose nothing from the version before to this one and back',
    TIMEOUT,
    async () => {
      await using earlier = await takeEarlier()
      await goAndComeBack(earlier, THIS)
    },
  )

  it(
    'UPGRADE-02 MUST lose nothing from this version to one that expands the database, and back',
    TIMEOUT,
    async () => {
      await using later = await makeLater()
      await goAndComeBack(THIS, later)
    },
  )
})
