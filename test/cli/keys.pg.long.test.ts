/** Both changes of keys on two servers under load: no request and no webhook is lost. */

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmpty, type Scratch } from '#test/support/postgres.ts'
import { type ServerProcess, startProcess } from '#test/support/process.ts'
import {
  type Receiver,
  type SteadyLoad,
  startReceiver,
  startSteadyLoad,
  tokenAt,
} from '#test/support/steady-load.ts'

const LONG_MS = 240_000
const MAIN = join(import.meta.dirname, '../../cli/main.ts')
const [OLD, NEW] = [randomBytes(32), randomBytes(32)].map(key => key.toString('base64')) as [string, string]

let scratch: Scratch
let receiver: Receiver
const servers: (ServerProcess | undefined)[] = []
let load: SteadyLoad

const settings = (keys: Record<string, string>) => ({
  DATABASE_URL: scratch.url,
  DEMO: '1',
  LOG_LEVEL: 'warn',
  WEBHOOK_ALLOW: '127.0.0.1',
  ...keys,
})

const start = (keys: Record<string, string>) => startProcess({ ...settings(keys), LOG_LEVEL: 'info' })

const cli = async (keys: Record<string, string>, ...args: string[]) => {
  const env = { PATH: process.env['PATH'], ...settings(keys) }
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...args, '--json'], { env })
  return JSON.parse(stdout)
}

/** Starts each server anew, one after the other; a request in flight gets its response. */
const roll = async (keys: Record<string, string>) => {
  for (let index = 0; index < 2; index++) {
    const before = servers[index]!
    servers[index] = undefined
    await load.more(8)
    expect(await before.stop()).toBe(0)
    servers[index] = await start(keys)
    await load.more(20)
  }
}

describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')('keys on PostgreSQL', () => {
  beforeAll(async () => {
    scratch = await createEmpty()
    receiver = await startReceiver()
    servers.push(await start({ SECRETS_KEY: OLD }))
    servers.push(await start({ SECRETS_KEY: OLD }))
    load = startSteadyLoad({
      addresses: () => servers.flatMap(server => server?.address ?? []),
      // A new token each time: what one server signs, the other verifies.
      token: () => tokenAt(servers.find(server => server !== undefined)!.address),
      notificationUrl: receiver.url,
    })
  }, LONG_MS)
  afterAll(async () => {
    await load?.stop()
    await Promise.all(servers.map(server => server?.stop()))
    receiver?.[Symbol.dispose]()
    await scratch?.drop()
  }, LONG_MS)

  it(
    'KEYS-01 MUST change both keys on two servers under load, and lose no response, no webhook and no callback token',
    async () => {
      await load.more(20)
      const rotated = await cli({ SECRETS_KEY: OLD }, 'keys', 'rotate')
      expect(rotated.map(({ state }: { state: string }) => state)).toEqual(['announced', 'signing'])
      await roll({ SECRETS_KEY: OLD, SECRETS_KEY_ALSO: NEW })
      const both = { SECRETS_KEY: NEW, SECRETS_KEY_ALSO: OLD }
      await roll(both)
      const changed = await cli(both, 'keys', 'rotate', '--secrets')
      expect(changed.changed).toBeGreaterThan(50)
      expect(changed.unreadable).toBe(0)
      await roll({ SECRETS_KEY: NEW })
      await load.stop()

      expect(load.faults).toEqual([])
      const uses = await cli({ SECRETS_KEY: NEW }, 'keys', 'status')
      for (const { other, unreadable } of uses) expect([other, unreadable]).toEqual([0, 0])
      await expect
        .poll(() => [...load.answered].filter(id => !receiver.received.has(id)), { timeout: 30_000 })
        .toEqual([])
      for (const id of load.answered) expect(receiver.received.get(id)).toMatch(/^Bearer callback-/)
      const jwks = await (await fetch(`${servers[0]!.address}/.well-known/jwks.json`)).json()
      expect(jwks).toMatchObject({
        keys: [...rotated.map(({ kid }: { kid: string }) => ({ kid })), { crv: 'Ed25519' }],
      })
      console.log(`${load.answered.size} payments were answered 201 and notified`)
    },
    LONG_MS,
  )

  it('KEYS-02 MUST refuse a key that is none of the database, before anything is encrypted with it', async () => {
    const strange = randomBytes(32).toString('base64')
    const wrong = cli({ SECRETS_KEY: strange, SECRETS_KEY_ALSO: OLD }, 'keys', 'rotate', '--secrets')
    await expect(wrong).rejects.toThrow('SECRETS_KEY is not the one')
    await expect(cli({ SECRETS_KEY: NEW }, 'keys', 'rotate', '--secrets')).rejects.toThrow(
      'SECRETS_KEY_ALSO must be',
    )
  })
})
