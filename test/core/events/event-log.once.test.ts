/** The event log under parallel writers: a reader that goes on by position misses nothing and sees nothing twice. */
import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWatchdog } from '#core/async/watchdog.ts'
import { readConfig } from '#core/config/config.ts'
import { type Database, openDatabase } from '#core/data/db.ts'
import { ensureSequence } from '#core/data/gapless-sequence.ts'
import { appendEvents, EVENT_SEQUENCE, type NewEvent } from '#core/events/append.ts'
import { createFeed, type EventFeed } from '#core/events/feed.ts'
import { readBounds, readEvents, toEventCursor } from '#core/events/read.ts'
import { createLog } from '#core/observability/log.ts'
import { createScratch, SECRETS_KEY } from '#test/support/postgres.ts'

const onPostgres = process.env['TEST_DATABASE'] === 'postgres'
const WRITERS = 8
const BATCHES = onPostgres ? 60 : 10

let databases: Database[]
let drop = async () => {}

/** On PostgreSQL each writer has connections of its own, as other processes have. */
beforeAll(async () => {
  if (!onPostgres) {
    databases = [await openDatabase(readConfig({ DATA_DIR: 'memory:' }))]
  } else {
    const scratch = await createScratch()
    drop = scratch.drop
    const config = readConfig({ DATABASE_URL: scratch.url, SECRETS_KEY })
    databases = await Promise.all(Array.from({ length: 4 }, () => openDatabase(config)))
  }
  await ensureSequence(databases[0]!.db, EVENT_SEQUENCE)
})
afterAll(async () => {
  await Promise.all(databases.map(database => database.close()))
  await drop()
})

const event = (clientId: string): NewEvent => ({
  eventid: randomUUID(),
  kind: 'PAYMENT',
  eventType: 'PAYMENT_COMPLETED',
  eventTime: new Date(),
  transactionId: randomUUID(),
  operationStatus: 'succeeded',
  status: 'succeeded',
  description: 'done',
  clientCorrelatorId: null,
  paymentDate: null,
  clientId,
  accountNumber: '100001',
  mobileNumber: null,
})

class RolledBack extends Error {}

/** Appends batches in transactions that commit in any order, and some that never do; returns what was committed. */
const write = async ({ db }: Database, clientId: string, feed: EventFeed): Promise<string[]> => {
  const committed: string[] = []
  for (let i = 0; i < BATCHES; i++) {
    const events = Array.from({ length: randomInt(1, 6) }, () => event(clientId))
    const fails = randomInt(5) === 0
    const batch = db.$transaction(
      async tx => {
        await appendEvents(tx, events)
        await tx.$queryRaw`SELECT pg_sleep(${randomInt(3) / 1000})::text`
        if (fails) throw new RolledBack()
      },
      { timeout: 30_000 },
    )
    const done = await batch.then(
      () => true,
      error => {
        if (error instanceof RolledBack) return false
        throw error
      },
    )
    if (!done) continue
    committed.push(...events.map(({ eventid }) => eventid))
    feed.wake()
  }
  return committed
}

const config = { subscriptionBuffer: 100_000 }
const watchdog = createWatchdog({ onLate: () => undefined, onRecovered: () => undefined })
const feedOn = ({ db }: Database) => createFeed({ db, log: createLog('fatal'), config, watchdog })

describe('parallel writers', () => {
  test('LOG-01 a reader by position, and subscribers that join at any time, get every event once and in order', async () => {
    const { db } = databases.at(-1)!
    const { head } = await readBounds(db)
    const feed = feedOn(databases.at(-1)!)
    const live = await feed.subscribe({})
    const writing = Array.from({ length: WRITERS }, (_, i) =>
      write(databases[i % databases.length]!, `c${i}`, feed),
    )
    const all = Promise.all(writing)
    let writingIsOver = false
    all.finally(() => (writingIsOver = true))

    const read: string[] = []
    let position = head
    while (!writingIsOver || position < (await readBounds(db)).head) {
      const page = await readEvents(db, position, {}, 7)
      expect(page.events.map(one => one.position)).toEqual(
        page.events.map((_, i) => position + BigInt(i) + 1n),
      )
      read.push(...page.events.map(({ eventid }) => eventid))
      position = page.until
    }
    const committed = (await all).flat()
    expect(read.toSorted()).toEqual(committed.toSorted())

    const takeAll = async (stream: typeof live) => {
      const got: string[] = []
      while (got.length < committed.length) got.push((await stream.next()).value!.eventid)
      await stream.return()
      return got
    }
    expect(await takeAll(live)).toEqual(read)
    expect(await takeAll(await feed.subscribe({}, head))).toEqual(read)
  }, 120_000)

  test('LOG-02 subscribers that resume again and again while writers write miss nothing', async () => {
    const database = databases[0]!
    const feed = feedOn(database)
    const { head } = await readBounds(database.db)
    const writing = Promise.all([write(databases.at(-1)!, 'mine', feed), write(database, 'theirs', feed)])
    let isOver = false
    const over = writing.then(() => {
      isOver = true
      return { value: undefined }
    })
    const got: string[] = []
    let position = head
    const resume = async (count: number) => {
      const stream = await feed.subscribe({ clientId: 'mine' }, position)
      for (let i = 0; i < count; i++) {
        const { value } = await Promise.race([stream.next(), over])
        if (!value) break
        got.push(value.eventid)
        position = value.position
      }
      await stream.return()
    }
    while (!isOver) await resume(randomInt(1, 6))
    const [expected] = await writing
    const stream = await feed.subscribe({ clientId: 'mine' }, position)
    while (got.length < expected.length) got.push((await stream.next()).value!.eventid)
    await stream.return()
    expect(got).toEqual(expected)
    expect(feed.subscribers).toBe(0)
  }, 120_000)
})

test('LOG-03 a cursor of a number that was never given is refused', async () => {
  const { db } = databases[0]!
  const { head } = await readBounds(db)
  await expect(feedOn(databases[0]!).subscribe({}, head + 1n)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
  })
  expect(toEventCursor(head)).toMatch(/^[\w-]+$/)
})
