/** Killed between "sent" and "recorded", the product sends again, with the same eventid, and loses nothing. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startReceiver, status } from '#test/core/webhooks/receiver.ts'
import { postpaidBilling } from '../support/fixtures/postpaid-billing.ts'
import { createScratch, SECRETS_KEY } from '../support/postgres.ts'
import { type ServerProcess, startProcess } from '../support/process.ts'
import { createRest } from '../support/rest.ts'

/** More than are under way to one receiver at a time. */
const PAYMENTS = 24
const UNDER_WAY = 16

let env: Record<string, string>
let cleanUp: () => Promise<void>

beforeAll(async () => {
  if (process.env['TEST_DATABASE'] === 'postgres') {
    const { url, drop } = await createScratch()
    env = { DATABASE_URL: url, SECRETS_KEY, DEMO: '1' }
    cleanUp = drop
  } else {
    const folder = await mkdtemp(join(tmpdir(), 'partner-graph-'))
    env = { DATA_DIR: join(folder, 'data') }
    cleanUp = () => rm(folder, { recursive: true, force: true })
  }
  env = { ...env, WEBHOOK_ALLOW: '127.0.0.1' }
})
afterAll(() => cleanUp())

const tokenFor = async ({ address }: ServerProcess): Promise<string> => {
  const response = await fetch(`${address}/oauth2/accesstoken`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('demo-partner:demo-partner-secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

it('HOOK-80 every event arrives although the process is killed while sending', {
  timeout: 120_000,
}, async () => {
  await using receiver = await startReceiver()
  receiver.answer = () => undefined
  const first = await startProcess(env)
  const [token, rest] = [await tokenFor(first), createRest(first.address)]
  const webhook = { notificationUrl: receiver.url }
  const posted = await Promise.all(
    Array.from({ length: PAYMENTS }, () =>
      rest('POST', postpaidBilling.path, { token, body: { ...postpaidBilling.body(), webhook } }),
    ),
  )
  await receiver.count(UNDER_WAY)
  await first.kill()

  receiver.answer = status(204)
  const second = await startProcess(env)
  await receiver.count(UNDER_WAY + PAYMENTS)
  expect(await second.stop()).toBe(0)

  const eventsOf = (id: string) =>
    receiver.received.filter(one => one.body.eventSubscriptionid === id).map(one => one.body.event.eventid)
  const events = posted.map(({ body }) => eventsOf(body.paymentId))
  expect(events.filter(one => one.length === 0)).toEqual([])
  expect(events.flat()).toHaveLength(UNDER_WAY + PAYMENTS)
  expect(events.map(one => new Set(one).size)).toEqual(events.map(() => 1))
})
