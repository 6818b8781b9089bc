/** A message centre that sends much at once, over TCP: others have their turn, and no more is taken than is bounded. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Link, openLink, type Receive } from '#connectors/smpp/link.ts'
import { createSmppServer, type Session } from '#connectors/smpp/session.ts'
import { type Pdu, statusOf } from '#connectors/third-party/smpp.ts'
import { readSmppUrls } from '#core/config/smpp.ts'

const OK = 0
const NEVER = new AbortController().signal
const QUEUE_FULL = statusOf('ESME_RMSGQFUL')

let server: ReturnType<typeof createSmppServer>
let session: Session
let link: Link
let statuses: number[]

beforeEach(async () => {
  statuses = []
  server = createSmppServer(one => {
    session = one
    one.on('bind_transceiver', (pdu: Pdu) => void one.respond(pdu))
    one.on('unbind', (pdu: Pdu) => void one.respond(pdu))
    one.on('error', () => one.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  await link.close()
  server.close()
})

const bind = async (receive: Receive) => {
  const { port } = server.address() as AddressInfo
  const [settings] = readSmppUrls([`smpp://a:b@127.0.0.1:${port}`])
  link = await openLink(settings!, receive, NEVER)
}

/** Written in one piece, before anything of it is read. */
const flood = (count: number) => {
  const answers = statuses
  session.socket.cork()
  for (let number = 0; number < count; number++)
    session.request(
      'deliver_sm',
      { esm_class: 4, short_message: Buffer.from(`id:${number} stat:DELIVRD`) },
      ({ status }) => void answers.push(status),
    )
  session.socket.uncork()
}
const answered = (count: number) =>
  expect.poll(() => statuses.length, { timeout: 20_000, interval: 5 }).toBe(count)

it('SMPP-130 reads in slices, between which everybody else has a turn', async () => {
  let sinceTurn = 0
  let most = 0
  await bind(async () => {
    most = Math.max(most, ++sinceTurn)
    const end = performance.now() + 1
    while (performance.now() < end);
    return OK
  })
  let isOver = false
  const turns = (async () => {
    while (!isOver) {
      await turn()
      sinceTurn = 0
    }
  })()
  flood(80)
  await answered(80)
  isOver = true
  await turns
  // Each takes a millisecond: read at a stretch, all of them would come in one turn.
  expect(most).toBeLessThan(20)
})

it('SMPP-131 takes no more than 500 at once, and refuses none while some of them get done', async () => {
  let inFlight = 0
  let most = 0
  await bind(async () => {
    most = Math.max(most, ++inFlight)
    await turn()
    await turn()
    inFlight--
    return OK
  })
  flood(1_200)
  await answered(1_200)
  expect(most).toBeLessThanOrEqual(500)
  expect(new Set(statuses)).toEqual(new Set([OK]))
})

it('SMPP-132 puts more off where nothing gets done, and takes more again once something does', async () => {
  const done = Promise.withResolvers<number>()
  let taken = 0
  await bind(() => {
    taken++
    return done.promise
  })
  flood(600)
  await answered(100)
  expect([taken, new Set(statuses)]).toEqual([500, new Set([QUEUE_FULL])])
  done.resolve(OK)
  await answered(600)
  flood(1)
  await answered(601)
  expect([taken, statuses.at(-1)]).toEqual([501, OK])
})

it('SMPP-133 reads the responses that follow an unbind, responds to it then, and takes nothing more', async () => {
  await bind(async () => OK)
  const submitted = [1, 2, 3].map(() => link.request('submit_sm', { short_message: Buffer.from('a') }))
  const submits: Pdu[] = []
  session.on('submit_sm', (pdu: Pdu) => void submits.push(pdu))
  await expect.poll(() => submits.length, { interval: 5 }).toBe(3)
  const order: string[] = []
  session.request('unbind', {}, () => void order.push('unbind_resp'))
  await expect.poll(() => link.leaving, { interval: 5 }).toBe('the message centre unbound')
  for (const [index, pdu] of submits.entries()) session.respond(pdu, { message_id: `id-${index}` })
  expect((await Promise.all(submitted)).map(pdu => pdu.fields['message_id'])).toEqual([
    'id-0',
    'id-1',
    'id-2',
  ])
  order.push('responses')
  expect(await link.ended).toBe('the message centre unbound')
  await expect.poll(() => order, { interval: 5 }).toEqual(['responses', 'unbind_resp'])
})
