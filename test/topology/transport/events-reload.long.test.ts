/** Another supergraph while clients of separate processes subscribe, and what a subscription cannot be. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readSupergraph } from '#gateway/supergraph/document.ts'
import { bearer, connect, subscribeSse } from '#test/support/subscribe.ts'
import {
  type Billing,
  EVENTS,
  type EventStage,
  errorOf,
  idsOf,
  openEventStage,
  startBilling,
} from './event-stage.ts'

const folder = mkdtempSync(join(tmpdir(), 'partner-graph-'))
const file = join(folder, 'supergraph.graphql')

let stage: EventStage
let second: Billing
let partner: string
let address: string

/** Written beside, then renamed into place. */
const moveTo = (place: string) => {
  const moved = readSupergraph().replace('http://127.0.0.1:4001/graphql', `${place}/graphql`)
  writeFileSync(`${file}.next`, moved)
  renameSync(`${file}.next`, file)
}

beforeAll(async () => {
  stage = await openEventStage()
  second = await startBilling(stage.app)
  partner = await stage.token()
  moveTo(stage.billing.address)
  address = await stage.gateway({ urls: '', env: { SUPERGRAPH: file } })
})
afterAll(async () => {
  await second?.close()
  await stage?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

test('UEV-40 a subgraph that moves is followed there at once, with every event once', async () => {
  using socket = connect(address, bearer(partner))
  using events = socket.subscribe(EVENTS)
  await vi.waitFor(() => expect(stage.billing.connections()).toBe(1))
  const ids = await stage.pay(partner)
  await events.take(1)
  moveTo(second.address)
  await vi.waitFor(() => expect(second.connections()).toBe(1), { timeout: 10_000 })
  await stage.billing.close()
  ids.push(...(await stage.pay(partner, 2)))
  expect(idsOf(await events.take(2))).toEqual(ids.slice(1))
  await stage.billing.open()
  ids.push(...(await stage.pay(partner)))
  moveTo(stage.billing.address)
  ids.push(...(await stage.pay(partner)))
  expect(idsOf(await events.take(2))).toEqual(ids.slice(3))
})

const SOMETIMES = 'subscription ($no: Boolean!) { paymentEvents @skip(if: $no) { cursor } }'

test.each([true, false])('UEV-41 @skip(if: $no) at the root is refused, when it is %s', async no => {
  using socket = connect(address, bearer(partner))
  using events = socket.subscribe(SOMETIMES, { no })
  const refused = { code: 'INVALID_ARGUMENT', http: { status: 400 }, reason: 'INVALID_OPERATION' }
  expect((await errorOf(events)).extensions).toMatchObject(refused)
  for (const path of ['/graphql', '/graphql/stream']) {
    using stream = subscribeSse(address + path, partner, SOMETIMES, { no })
    expect((await stream.next()).errors).toMatchObject([{ extensions: refused }])
    expect(await stream.ended).toBeUndefined()
  }
})
