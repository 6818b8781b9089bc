/**
 * Two servers on three nodes of Citus, under load, while a node is killed and comes back, and a schema is moved from one to
 * another: nothing is lost, nothing happens twice. `CITUS_PROJECT=soak npm run test:citus -- test/soak/citus.test.ts`
 * runs it, alone, since it kills the nodes of `CITUS_DATABASE_URL`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Db } from '#core/data/db.ts'
import { startReceiver } from '#test/core/webhooks/receiver.ts'
import { type CitusNode, citusNodes, withClient } from '#test/support/citus.ts'
import { seeded } from '../core/values/random.ts'
import { ON_CITUS, SECRETS_KEY } from '../support/postgres.ts'
import { openTestApp } from '../support/stack.ts'
import { killNode } from './citus/node.ts'
import { faultsOf, inFlight, noteOpening, writtenBy } from './instances/database.ts'
import { FREE, LIMITED, startLoad } from './instances/load.ts'
import { Member } from './instances/member.ts'
import { Partner } from './instances/partner.ts'

const SEED = Number(process.env['CITUS_SEED'] ?? Date.now() % 1_000_000)
/** How long the load goes on before, between and after what happens. */
const SPAN_MS = 4_000
const AWAY_MS = 3_000
/** Citus brings transactions in doubt to their end once a minute (`citus.recover_2pc_interval`). */
const SETTLED_MS = 150_000
const WORKERS = 6

const openStage = async () => {
  await using stack = new AsyncDisposableStack()
  const { app, token } = stack.use(await openTestApp({ env: { DATABASE_POOL_SIZE: '3' } }))
  const { db, config } = app
  const tokens = new Map([
    [FREE.id, await token(FREE)],
    [LIMITED.id, await token(LIMITED)],
  ])
  await noteOpening(db)
  const [{ head }] = await db.$queryRaw<[{ head: bigint }]>`SELECT max(position) AS head FROM events.event`
  const receiver = stack.use(await startReceiver())
  const folder = await mkdtemp(join(tmpdir(), 'partner-graph-citus-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const env = {
    ...{ DATABASE_URL: config.databaseUrl!, SECRETS_KEY, DATABASE_POOL_SIZE: '6' },
    ...{ LOG_LEVEL: 'warn', WEBHOOK_ALLOW: '127.0.0.1' },
  }
  const members: Member[] = []
  stack.defer(() => Promise.all(members.map(one => one.kill())).then(() => undefined))
  for (const name of ['one', 'two'])
    members.push(
      await Member.create({ name, args: ['gateway/main.ts'], env, logFile: join(folder, `${name}.log`) }),
    )
  await Promise.all(members.map(one => one.start()))
  const partner = new Partner(members.map(({ address }) => address))
  const load = { partner, tokens, webhook: receiver.url, random: seeded(SEED), workers: WORKERS }
  const kept = stack.move()
  return {
    db,
    url: config.databaseUrl!,
    head,
    receiver,
    members,
    partner,
    load,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

type Stage = Awaited<ReturnType<typeof openStage>>

/** The node of a schema. */
const nodeOf = async (db: Db, schema: string): Promise<CitusNode> => {
  const [node] = await db.$queryRaw<CitusNode[]>`
    SELECT DISTINCT s.nodename AS host, s.nodeport AS port FROM citus_shards s
    JOIN pg_class c ON c.oid = s.table_name WHERE c.relnamespace = ${schema}::regnamespace`
  return node!
}

const untilSettled = async (db: Db) => {
  const until = Date.now() + SETTLED_MS
  while ((await inFlight(db)) > 0) {
    if (Date.now() > until) throw new Error(`${await inFlight(db)} are under way after ${SETTLED_MS} ms`)
    await delay(500)
  }
}

const check = async ({ db, head, receiver, partner, members }: Stage) => {
  expect(members.flatMap(one => one.unexpected).join('\n')).toBe('')
  expect(partner.unforeseen).toEqual([])
  expect(await faultsOf(db)).toEqual([])
  const written = await writtenBy(db)
  expect(written.map(row => `${row.correlator} ${row.id}`).toSorted()).toEqual(
    partner.answered.flatMap(({ id, correlator }) => (id ? [`${correlator} ${id}`] : [])).toSorted(),
  )
  const events = await db.event.findMany({ where: { position: { gt: head }, kind: { not: 'MESSAGE' } } })
  const received = receiver.received.map(({ body }) => body.event.eventid)
  expect([...new Set(received)].toSorted()).toEqual(events.map(({ eventid }) => eventid).toSorted())
}

/** Runs what happens in the midst of a load, and checks everything when it has come to its end. */
const under = async (happening: (stage: Stage) => Promise<string>) => {
  await using stage = await openStage()
  const stopLoad = startLoad(stage.load)
  await delay(SPAN_MS)
  const text = await happening(stage)
  await delay(SPAN_MS)
  await stopLoad()
  const began = performance.now()
  await untilSettled(stage.db)
  const seconds = Math.round((performance.now() - began) / 1_000)
  const { answered, repeats } = stage.partner
  console.log(
    `seed ${SEED}: ${text}; ${answered.length} answered, ${repeats} repeats, settled ${seconds} s after the last`,
  )
  await check(stage)
}

describe.skipIf(!ON_CITUS)('three nodes', { timeout: 300_000 }, () => {
  it.each(['events', 'postpaid'])(
    'CITUS-KILL-01 lose nothing where the node with %s is killed and comes back',
    async schema => {
      const [coordinator] = await citusNodes()
      await under(async ({ db }) => {
        const node = await nodeOf(db, schema)
        expect(node.port, 'a schema of a worker').not.toBe(coordinator!.port)
        const start = await killNode(node)
        await delay(AWAY_MS)
        await start()
        return `the node with ${schema} was away for ${AWAY_MS} ms`
      })
    },
  )

  it('CITUS-MOVE-01 lose nothing where a schema is moved to another node', async () => {
    const nodes = await citusNodes()
    await under(async ({ db, url }) => {
      const from = await nodeOf(db, 'postpaid')
      const to = nodes.find(({ port, host }) => port !== from.port || host !== from.host)!
      const began = performance.now()
      await withClient(url, client =>
        client.query("SELECT citus_schema_move('postpaid', $1::text, $2::int)", [to.host, to.port]),
      )
      expect(await nodeOf(db, 'postpaid')).toEqual(to)
      return `postpaid was moved in ${Math.round(performance.now() - began)} ms`
    })
  })
})
