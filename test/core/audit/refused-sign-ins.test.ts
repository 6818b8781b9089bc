/** Refused secrets and tokens in the log of acts: there soon, and bounded whatever comes. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { invalidToken, missingToken } from '#core/access/claims.ts'
import { listActs } from '#core/audit/acts.ts'
import { RefusedSignIns } from '#core/audit/refused-sign-ins.ts'
import { openTestApp, type TestApp } from '../../support/stack.ts'

let opened: TestApp
let now: number

beforeAll(async () => {
  opened = await openTestApp()
})
afterAll(() => opened[Symbol.asyncDispose]())

const start = () => {
  now = Date.now()
  const { config, db, log, watchdog } = opened.app
  return new RefusedSignIns({ config, db, log, watchdog, now: () => now })
}

const acts = async () => {
  const { nodes } = await listActs(opened.app.db, { filter: { action: 'SIGN_IN_REFUSED' }, first: 200 })
  return nodes.map(({ actor, target, details }) => ({ actor, target, ...JSON.parse(details) }))
}

it('REFUSED-01 MUST record the first refusal soon, and those that follow as one sum in ten minutes', async () => {
  const refusals = start()
  refusals.countSecret('shop', '198.51.100.7')
  await refusals.flush()
  for (let time = 0; time < 5_000; time++) refusals.countSecret('shop', '198.51.100.7')
  await refusals.flush()
  expect(await acts()).toMatchObject([{ actor: '-', target: 'shop', network: '198.51.100.7', count: 1 }])
  now += 600_000
  await refusals.flush()
  expect((await acts()).map(({ count }) => count)).toEqual([5_000, 1])
  await refusals.stop()
})

it('REFUSED-02 MUST sum what comes from very many networks, and lose no count', async () => {
  const before = (await acts()).length
  const refusals = start()
  for (let n = 0; n < 5_000; n++) refusals.countSecret(undefined, `203.0.${n >> 8}.${n & 255}`)
  await refusals.stop()
  const found = (await acts()).slice(0, -before)
  expect(found).toHaveLength(101)
  expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(5_000)
  expect(found.find(({ network }) => network === 'others')).toMatchObject({ count: 4_900, target: null })
})

it('REFUSED-03 MUST count forged and foreign tokens, and neither missing nor expired ones', async () => {
  const before = (await acts()).length
  const refusals = start()
  refusals.countToken(missingToken(), '192.0.2.1')
  refusals.countToken(invalidToken('expired', 'The access token has expired'), '192.0.2.1')
  refusals.countToken(invalidToken('malformed', 'The access token is malformed'), '2001:db8:1:2:3::4')
  await refusals.stop()
  expect((await acts()).slice(0, -before)).toMatchObject([
    { network: '2001:db8:1:2', reason: 'The access token is malformed', count: 1, target: null },
  ])
})
