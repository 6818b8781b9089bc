/** `charging compare` as an administrator runs it: on the server's data, with a charging system's book over its protocol. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { newId } from '#core/values/id.ts'
import { type Listed, Simulator, TOKEN } from '../support/charging-simulator.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import { startProcess } from '../support/process.ts'
import { createRest } from '../support/rest.ts'
import { createCli } from './run.ts'

const CHARGED = FIXTURES.filter(({ kind }) => kind !== 'MESSAGE')
const LONG_MS = 120_000

let folder: string
let simulator: Simulator
let posted: Listed[]
const settings = (url = simulator.address) => ({ CHARGING: 'http', CHARGING_URL: url, CHARGING_TOKEN: TOKEN })
const compare = (env: Record<string, string>, ...options: string[]) =>
  createCli(join(folder, 'data'), env)('charging', 'compare', ...options)

const tokenOf = async (address: string) => {
  const response = await fetch(`${address}/oauth2/accesstoken`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('demo-partner:demo-partner-secret').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partner-graph-compare-'))
  simulator = await Simulator.start()
  // One of the recharges is booked on the account of the number.
  await simulator.faults({ fault: 'misbook', order: { operation: 'recharge' }, times: 1 })
  const server = await startProcess({ DATA_DIR: join(folder, 'data'), ...settings() })
  const token = await tokenOf(server.address)
  for (const fixture of [...CHARGED, ...CHARGED])
    await createRest(server.address)('POST', fixture.path, { token, body: fixture.body() })
  const areSettled = async () => {
    posted = await simulator.book()
    expect(posted.filter(({ outcome }) => outcome === 'done')).toHaveLength(2 * CHARGED.length)
    const figures = await (await fetch(`${server.address}/metrics`)).text()
    expect(figures).not.toMatch(/^charging_orders\{.*\} [1-9]/m)
  }
  await vi.waitFor(areSettled, { timeout: 60_000, interval: 100 })
  await server.stop()
}, LONG_MS)
afterAll(async () => {
  await simulator?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

it('CLI-CHARGING-01 finds what was booked on another holder, what is only there, and exits with 1', async () => {
  const strange = newId()
  await fetch(`${simulator.address}/orders/${strange}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ operation: 'payBill', accountNumber: '100001', amount: '1', currency: 'OMR' }),
  })
  const { code, stdout, stderr } = await compare(settings(), '--json')
  expect([code, stderr]).toEqual([1, 'error: the books differ\n'])
  const { agrees, systems, differences } = JSON.parse(stdout)
  expect([agrees, systems]).toEqual([
    false,
    [
      {
        system: new URL(simulator.address).host,
        compared: 8,
        open: 0,
        missingThere: 0,
        onlyThere: 1,
        different: 1,
      },
    ],
  ])
  expect(differences).toEqual([
    {
      transactionId: expect.any(String),
      what: 'holder',
      here: expect.stringMatching(/^number 968\d{8}$/),
      there: expect.stringMatching(/^account \d+$/),
    },
    { transactionId: strange, what: 'only-there', order: 'payBill of 1 OMR for account 100001: done' },
  ])
  const text = await compare(settings(), '--limit', '1')
  expect([text.code, text.stdout]).toEqual([
    1,
    expect.stringContaining('8 compared, 0 open, 0 missing there, 1 only there, 1 different'),
  ])
  expect(text.stdout.match(/^[0-9a-f]{8}-/gm)).toHaveLength(1)
})

it('CLI-CHARGING-02 finds what is missing there, and agrees with what is whole', async () => {
  await using other = await Simulator.start()
  const missing = await compare(settings(other.address), '--json')
  expect([missing.code, JSON.parse(missing.stdout).systems[0]]).toEqual([
    1,
    expect.objectContaining({ missingThere: 8 }),
  ])
  for (const { transactionId, order } of posted)
    await fetch(`${other.address}/orders/${transactionId}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify(order),
    })
  const whole = await compare(settings(other.address), '--json')
  expect([whole.code, whole.stderr, JSON.parse(whole.stdout)]).toMatchObject([
    0,
    '',
    { agrees: true, differences: [], systems: [{ compared: 8 }] },
  ])
})

it('CLI-CHARGING-03 says what to do where the system does not serve its book, and where there is none', async () => {
  const server = createServer((_, response) => void response.writeHead(404).end('{}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const without = await compare(settings(`http://127.0.0.1:${port}`))
  server.close()
  expect([without.code, without.stdout]).toEqual([1, ''])
  expect(without.stderr).toContain('does not serve its book (GET /orders: 404); have it serve listOrders')
  const ledger = await compare({})
  expect([ledger.code, ledger.stderr]).toEqual([1, expect.stringContaining('set CHARGING=http')])
  expect((await compare(settings(), '--limit', 'many')).code).toBe(2)
})
