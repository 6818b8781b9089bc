/** The command line for webhooks: what was given up, sending again, signing secrets. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import { openDatabase } from '#core/data/db.ts'
import { newId } from '#core/values/id.ts'
import { createCli } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'partner-graph-cli-'))
const dataDir = join(folder, 'data')
const cli = createCli(dataDir)
const dead = newId()
const SECRET = 'whsec_[A-Za-z0-9+/]{43}='

const seed = async () => {
  const { db, close } = await openDatabase(readConfig({ DATA_DIR: dataDir }))
  const shared = {
    eventid: randomUUID(),
    kind: 'PAYMENT',
    transactionId: newId(),
    clientId: 'shop',
    position: 10_000_000n,
  }
  const at = new Date()
  const event = {
    eventType: 'PAYMENT_COMPLETED',
    eventTime: at,
    operationStatus: 'succeeded',
    status: 'succeeded',
  }
  await db.event.create({ data: { ...shared, ...event, description: 'x' } })
  const gone = { status: 'DEAD', attempts: 8, lastStatus: 500, lastError: 'line 1\nline 2' }
  const [url, origin] = ['https://hooks.example.com/a', 'https://hooks.example.com']
  await db.delivery.create({
    data: { ...shared, ...gone, id: dead, url, origin, token: 'kept', createdAt: at },
  })
  await close()
}

describe('cli webhooks', { timeout: 60_000 }, () => {
  beforeAll(seed, 60_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('CLI-50 lists what is dead, as a table and as JSON without the token', async () => {
    const { stdout } = await cli('webhooks', 'list', '--status', 'dead')
    expect(stdout).toMatch(/^ID +STATUS +ATTEMPTS/)
    expect(stdout).toMatch(new RegExp(`^${dead} +DEAD +8 +shop .* 500 line 1 line 2 +https://hooks`, 'm'))
    const json = await cli('webhooks', 'list', '--status', 'dead', '--client', 'shop', '--json')
    expect(JSON.parse(json.stdout)).toMatchObject([{ id: dead, status: 'DEAD', lastStatus: 500 }])
    expect(json.stdout).not.toMatch(/kept|token/)
    expect((await cli('webhooks', 'list', '--status', 'pending', '--json')).stdout).toBe('[]\n')
  })

  it('CLI-51 sends a dead one again', async () => {
    const { code, stdout } = await cli('webhooks', 'redeliver', dead, '--json')
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { id: dead, status: 'PENDING', attempts: 0 }])
    expect((await cli('webhooks', 'list', '--status', 'dead', '--json')).stdout).toBe('[]\n')
  })

  it.each([
    ['CLI-52 an unknown delivery', ['redeliver', newId()], 1, /^error: Delivery .* not found\n$/],
    ['CLI-53 an unknown status', ['list', '--status', 'lost'], 2, /is invalid/],
    ['CLI-54 a limit too high', ['list', '--limit', '201'], 2, /from 0 to 200/],
  ])('%s', async (_, args, code, message) => {
    expect(await cli('webhooks', ...args)).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringMatching(message),
    })
  })

  it('CLI-55 adds a client with a signing secret, and rotates it', async () => {
    const added = await cli(
      'clients',
      'add',
      '--id',
      'signer',
      '--role',
      'partner',
      '--webhook-secret',
      '--json',
    )
    expect(added.stdout).toMatch(new RegExp(`^{"id":"signer",.*"webhookSecret":"${SECRET}"}\\n$`))
    const rotated = await cli('clients', 'rotate-webhook-secret', 'signer')
    expect(rotated.stdout).toMatch(new RegExp(`^new webhook secret for signer: ${SECRET}\\n`))
    expect(rotated.stdout).toMatch(/signs along until \d{4}-/)
    const finished = await cli('clients', 'rotate-webhook-secret', 'signer', '--finish', '--json')
    expect(finished.stdout).toBe('{"id":"signer","finished":true}\n')
    expect((await cli('clients', 'list', '--json')).stdout).not.toMatch(/secret/i)
  })

  it('CLI-56 MUST refuse another SECRETS_KEY before anything is written', async () => {
    const settings = { DEMO: '0', SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') }
    const wrong = createCli(dataDir, settings)
    for (const command of [
      'clients rotate-webhook-secret signer',
      'clients add --id late --role partner --webhook-secret',
    ]) {
      const { code, stderr } = await wrong(...command.split(' '))
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^error: SECRETS_KEY is not the one .*signing key.*\n$/),
      ])
    }
    expect((await cli('clients', 'list')).stdout).not.toContain('late')
    expect((await cli('clients', 'rotate-webhook-secret', 'signer')).stdout).toMatch(/signs along until/)
  })

  it('CLI-57 MUST keep a client that events and webhooks name', async () => {
    await cli('clients', 'add', '--id', 'shop', '--role', 'partner')
    const { code, stderr } = await cli('clients', 'remove', 'shop')
    expect([code, stderr]).toEqual([
      1,
      'error: shop has transactions or webhooks, which name it; refuse it with: clients disable shop\n',
    ])
    expect((await cli('clients', 'show', 'shop')).code).toBe(0)
  })

  it('CLI-58 MUST list who did all of that, the newest first, without a secret', async () => {
    const { userInfo } = await import('node:os')
    const actor = `cli:${userInfo().username}`
    const { stdout } = await cli('audit', 'list', '--json')
    const acts = JSON.parse(stdout) as { actor: string; action: string; target: string }[]
    expect(new Set(acts.map(one => one.actor))).toEqual(new Set([actor]))
    expect(acts.map(({ action, target }) => `${action} ${target}`).toReversed()).toEqual([
      `WEBHOOKS_REDELIVERED ${dead}`,
      'CLIENT_ADDED signer',
      ...Array.from({ length: 4 }, () => 'WEBHOOK_SECRET_ROTATED signer'),
      'CLIENT_ADDED shop',
    ])
    expect(stdout).not.toMatch(/whsec_|secretHash/)
    const table = await cli('audit', 'list', '--target', 'shop', '--since', '2020-01-01')
    expect(table.stdout).toMatch(
      /^AT +ACTOR +USER +ACTION +TARGET +DETAILS\n.* CLIENT_ADDED +shop .*\n1 of 1/,
    )
    expect(await cli('audit', 'list', '--since', 'now')).toMatchObject({ code: 2 })
  })
})
