/** A database of an earlier version, two instances of it, and partners that post to both. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import { openDatabase } from '#core/data/db.ts'
import { seeded } from '#test/core/values/random.ts'
import { startReceiver } from '#test/core/webhooks/receiver.ts'
import { createEmpty, SECRETS_KEY } from '../../support/postgres.ts'
import { inFlight, noteOpening } from '../instances/database.ts'
import { FREE, LIMITED, startLoad } from '../instances/load.ts'
import { Member } from '../instances/member.ts'
import { Partner } from '../instances/partner.ts'
import { startReader } from '../instances/reader.ts'
import { runOf, type Version } from './versions.ts'

const SERVER = 'gateway/main.ts'
/** On a loaded machine, too. */
const SOON = { interval: 20, timeout: 120_000 }
/** Few enough that instances start soon on two processors. */
export const WORKERS = 4
/** Posts that each instance has answered before the next step is taken. */
const EACH = 25

const LIMITS = ['--monthly-limit', LIMITED.monthlyAmount, '--monthly-points', LIMITED.monthlyPoints]

export type UpgradeStage = Awaited<ReturnType<typeof openUpgrade>>

const tokenFrom = async (address: string, id: string, secret: string): Promise<string> => {
  const response = await fetch(`${address}/oauth2/accesstoken`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token } = (await response.json()) as { access_token: string }
  return access_token
}

/** Adds a partner by the version's own command line, and asks an instance for a token. */
const addPartner = async (
  version: Version,
  env: Record<string, string>,
  { id, flags, address }: { id: string; flags: readonly string[]; address: string },
) => {
  const args = ['clients', 'add', '--id', id, '--role', 'partner', '--dummy-cards', '--json', ...flags]
  const { output } = await runOf(version, ['cli/main.ts', ...args], env)
  return tokenFrom(address, id, JSON.parse(output.trim().split('\n').at(-1)!).secret)
}

/** Creates the earlier version's database and starts two instances of it on their ports. */
const startEarlier = async (stack: AsyncDisposableStack, earlier: Version) => {
  const { url, drop } = await createEmpty()
  stack.defer(drop)
  const env = {
    DATABASE_URL: url,
    SECRETS_KEY,
    LOG_LEVEL: 'warn',
    WEBHOOK_ALLOW: '127.0.0.1',
    DATABASE_POOL_SIZE: '4',
    // The packages of pages are those of the version that builds them.
    PAGES: '0',
    DEMO: '1',
  }
  const migrated = await runOf(earlier, ['prisma/migrate.ts'], env)
  expect(migrated).toMatchObject({ status: 0 })
  const folder = await mkdtemp(join(tmpdir(), 'partner-graph-upgrade-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const create = (name: string) =>
    Member.create({ name, args: [SERVER], env, logFile: join(folder, `${name}.log`), root: earlier.root })
  const instances = await Promise.all(['one', 'two'].map(create))
  stack.defer(async () => void (await Promise.all(instances.map(one => one.stop()))))
  await Promise.all(instances.map(one => one.start()))
  return { env, instances }
}

/** Starts everything; the load runs until it is stopped. */
export async function openUpgrade(earlier: Version) {
  await using stack = new AsyncDisposableStack()
  const { env, instances } = await startEarlier(stack, earlier)
  const { db, close } = await openDatabase(readConfig({ ...env, DATABASE_POOL_SIZE: '2' }))
  stack.defer(close)
  const settled = () => vi.waitFor(async () => expect(await inFlight(db)).toBe(0), SOON)
  await settled()
  await noteOpening(db)
  const receiver = stack.use(await startReceiver())
  const addresses = instances.map(({ address }) => address)
  const [address] = addresses as [string]
  const tokens = new Map([
    [FREE.id, await addPartner(earlier, env, { id: FREE.id, flags: [], address })],
    [LIMITED.id, await addPartner(earlier, env, { id: LIMITED.id, flags: LIMITS, address })],
  ])
  const partner = new Partner(addresses)
  const reader = startReader(addresses, await tokenFrom(address, 'demo-portal', 'demo-portal-secret'))
  stack.defer(() => reader.stop())
  const stopLoad = startLoad({ partner, tokens, webhook: receiver.url, random: seeded(1), workers: WORKERS })
  stack.defer(stopLoad)
  /** Resolves when both instances have answered a number of posts from now on. */
  const postToBoth = async () => {
    const from = partner.answered.length
    const by = (one: string) => partner.answered.slice(from).filter(({ address: at }) => at === one)
    await vi.waitFor(
      () => expect(Math.min(...addresses.map(one => by(one).length))).toBeGreaterThanOrEqual(EACH),
      SOON,
    )
  }
  const kept = stack.move()
  return {
    env,
    db,
    instances,
    partner,
    reader,
    receiver,
    settled,
    postToBoth,
    /** Replaces one instance after the other, with posts to both in between and afterwards. */
    async roll({ root }: Version): Promise<void> {
      for (const instance of instances) {
        await instance.stop()
        await instance.start(root)
        await postToBoth()
      }
    },
    /** Runs a command of a version with the settings of the instances. */
    run: (version: Version, args: readonly string[]) => runOf(version, args, env),
    async stop(): Promise<void> {
      await stopLoad()
      await reader.stop()
      await settled()
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
