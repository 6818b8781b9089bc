/** A charging system over HTTP whose wire breaks, and that is killed, as we are: each order is carried out once. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Fault } from '#simulators/charging/faults.ts'
import { balancesAfter, inOrder, readBalances, readPosted, toLine } from './charging/books.ts'
import { startLoad } from './charging/load.ts'
import { Stage } from './charging/stage.ts'

/** How often everything is killed and cut; more for an operator with time. */
const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 1)
const POSTS = 15
/** Half a minute on a machine that has nothing else to do. */
const LONG_MS = 400_000

const CALLS = ['submit', 'inquire', 'capture'] as const

/** All that can go wrong at the same time; most of it before the order arrived or after it was carried out. */
const FAULTS: readonly Fault[] = [
  { fault: 'cut', share: 0.05, on: CALLS },
  { fault: 'lost', share: 0.08, on: CALLS },
  { fault: 'error', share: 0.03, on: CALLS },
  { fault: 'error-after', share: 0.05, on: CALLS },
  { fault: 'later', share: 0.05, ms: 700 },
  { fault: 'late', share: 0.02, ms: 3_000 },
  { fault: 'hang', share: 0.01, on: CALLS },
  { fault: 'nonsense', share: 0.03 },
  { fault: 'twice', share: 0.05 },
  { fault: 'throttle', share: 0.02, ms: 100 },
  { fault: 'decline', share: 0.1, reason: 'The simulator declined it' },
  { fault: 'pending', share: 0.1, ms: 300, callbacks: 2 },
  { fault: 'pending', share: 0.05, ms: 300, callbacks: 0 },
  { fault: 'reserve', share: 0.1 },
]

const tokenFor = async (address: string): Promise<string> => {
  const response = await fetch(`${address}/oauth2/accesstoken`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('demo-partner:demo-partner-secret').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

const OPEN = new Set(['processing', 'pending', 'reserved'])

/** Asked until nothing is open any more; the test's own time limit bounds it. */
const readSettled = async (address: string, token: string, before: ReadonlySet<string>) => {
  for (;;) {
    const posted = await readPosted(address, token, before)
    if (posted.every(({ status }) => !OPEN.has(status))) return posted
    await delay(200)
  }
}

let stage: Stage

beforeAll(async () => {
  stage = await Stage.open()
}, LONG_MS)
// Also after a test that did not come to its end.
afterAll(() => stage?.[Symbol.asyncDispose]())

it(
  'CHARGE-KILL-01 the books of both agree to the last digit, whatever is killed and cut',
  async () => {
    const { address, wire } = stage
    const token = await tokenFor(address)
    const before = new Set((await readPosted(address, token, new Set())).map(({ id }) => id))
    const opening = await readBalances(address, token)
    await stage.simulator.faults(...FAULTS)
    const load = startLoad(address, token)
    for (let round = 0; round < ROUNDS; round++) {
      await load.more(POSTS)
      await stage.server.kill()
      await stage.startServer()
      await load.more(POSTS)
      await stage.simulator.kill()
      await load.more(POSTS)
      await stage.startSimulator()
      await stage.simulator.faults(...FAULTS)
      await load.more(POSTS)
      wire.cut()
      await load.more(POSTS)
      wire.restore()
      await load.more(POSTS)
      await Promise.all([stage.server.kill(), stage.simulator.kill()])
      await stage.startSimulator()
      await stage.simulator.faults(...FAULTS)
      await stage.startServer()
    }
    await load.more(POSTS)
    await load.stop()
    await stage.simulator.faults()
    const posted = await readSettled(address, token, before)
    const orders = await stage.simulator.book()

    expect(posted.map(({ id }) => id)).toEqual(expect.arrayContaining([...load.answered]))
    expect(orders.filter(({ outcome, carriedOut }) => carriedOut !== (outcome === 'done' ? 1 : 0))).toEqual(
      [],
    )
    expect(inOrder(posted)).toEqual(inOrder(orders.map(toLine)))
    expect(await readBalances(address, token)).toEqual(balancesAfter(opening, orders))
    console.log(
      `${posted.length} transactions, ${posted.filter(one => one.carriedOut).length} carried out, ${orders.reduce((sum, one) => sum + one.arrivals, 0)} arrivals since the last start`,
    )
  },
  LONG_MS * ROUNDS,
)
