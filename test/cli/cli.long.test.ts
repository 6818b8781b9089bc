/** The administration command line: results on standard output, one-line errors on standard error, exit codes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lockDataDir } from '#core/data/door.ts'
import { createCli, createSpawnedCli } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'partner-graph-cli-'))
const dataDir = join(folder, 'data')
const cli = createCli(dataDir)
const SECRET = '[\\w-]{43}'

describe('cli', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    await cli('clients', 'add', '--id', 'shop', '--role', 'partner')
  }, 60_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('CLI-01 adds a client and prints its secret, as text', async () => {
    const { code, stdout, stderr } = await cli(
      'clients',
      'add',
      '--id',
      'desk',
      '--role',
      'portal',
      '--name',
      'The desk',
    )
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(new RegExp(`^added desk \\(portal\\)\\nsecret: ${SECRET}\\n`))
  })

  it('CLI-02 adds a client with every option, as one JSON line; the list shows it without secrets', async () => {
    const options =
      '--phone 91000001 --currencies OMR,USD --max-amount 50.5 --monthly-limit 100 --max-points 10 --monthly-points 20.25 --requests-per-second 7 --open-streams 3'
    const added = await cli(
      'clients',
      'add',
      '--id',
      'kiosk',
      '--role',
      'partner',
      ...options.split(' '),
      '--dummy-cards',
      '--json',
    )
    expect(added.stdout).toMatch(new RegExp(`^{"id":"kiosk","role":"partner","secret":"${SECRET}"}\\n$`))
    const { stdout } = await cli('clients', 'list', '--json')
    const kiosk = JSON.parse(stdout).find(({ id }: { id: string }) => id === 'kiosk')
    expect(kiosk).toMatchObject({
      phoneNumber: '96891000001',
      currencies: ['OMR', 'USD'],
      maxAmount: '50.5',
      monthlyAmount: '100',
      maxPoints: '10',
      monthlyPoints: '20.25',
      dummyCards: true,
      quotas: { requestsPerSecond: 7, openStreams: 3 },
    })
    expect(stdout).not.toMatch(/secret/i)
  })

  it('CLI-03 gives a new secret, disables, and lists both as a table', async () => {
    const rotated = await cli('clients', 'rotate', 'shop', '--json')
    expect(rotated.stdout).toMatch(new RegExp(`^{"id":"shop","role":"partner","secret":"${SECRET}"}\\n$`))
    expect(await cli('clients', 'disable', 'shop')).toEqual({
      code: 0,
      stdout: 'disabled shop\n',
      stderr: '',
    })
    const { stdout } = await cli('clients', 'list')
    expect(stdout).toMatch(/^ID +ROLE +NAME +PHONE +CURRENCIES +LIMITS +STATE\n/)
    expect(stdout).toMatch(/^shop +partner +shop +- +OMR +- +disabled \d{4}-/m)
  })

  it('CLI-04 changes the quotas that are given, and shows all', async () => {
    const changed = await cli('clients', 'quotas', 'shop', '--webhooks-in-flight', '5', '--json')
    expect(JSON.parse(changed.stdout).quotas).toMatchObject({
      webhooksInFlight: 5,
      requestsPerSecond: 10_000,
    })
    const { stdout } = await cli('clients', 'list')
    expect(stdout).toMatch(/^shop .* webhooks-in-flight 5 /m)
  })

  it('CLI-05 changes what is given and leaves the rest, takes limits away, and shows it', async () => {
    await cli(
      'clients',
      'add',
      '--id',
      'till',
      '--role',
      'partner',
      '--max-amount',
      '5',
      '--monthly-limit',
      '9',
    )
    const change = '--name Till --phone 91000002 --currencies OMR,USD --monthly-limit none --dummy-cards'
    const { code, stdout } = await cli('clients', 'update', 'till', ...change.split(' '), '--json')
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { id: 'till', name: 'Till', phoneNumber: '96891000002', currencies: ['OMR', 'USD'], dummyCards: true },
    ])
    expect(JSON.parse(stdout)).toMatchObject({ maxAmount: '5', monthlyAmount: null })
    await cli('clients', 'update', 'till', '--phone', 'none', '--no-dummy-cards', '--open-streams', '4')
    const shown = await cli('clients', 'show', 'till')
    expect(shown.stdout).toMatch(/^limits +max-amount 5, open-streams 4$/m)
    expect(shown.stdout).toMatch(/^phone +-$/m)
    expect(shown.stdout).not.toMatch(/scrypt/)
  })

  it('CLI-06 lets a disabled client in again', async () => {
    await cli('clients', 'disable', 'till')
    expect((await cli('clients', 'enable', 'till')).stdout).toBe('enabled till\n')
    expect((await cli('clients', 'show', 'till')).stdout).toMatch(/^state +active$/m)
  })

  it('CLI-07 gives a new secret beside which the one before stays good', async () => {
    const { stdout } = await cli('clients', 'rotate', 'till', '--overlap', '24h', '--json')
    const hours = (Date.parse(JSON.parse(stdout).previousEndsAt) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23)
    expect(hours).toBeLessThanOrEqual(24)
    expect((await cli('clients', 'list', '--json')).stdout).not.toMatch(/scrypt/)
  })

  it('CLI-08 removes a client that left nothing behind', async () => {
    expect(await cli('clients', 'remove', 'till')).toEqual({ code: 0, stdout: 'removed till\n', stderr: '' })
    expect((await cli('clients', 'show', 'till')).stderr).toBe('error: Client till not found\n')
  })

  it('CLI-09 prints the version', async () => {
    expect((await cli('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it.each([
    [
      'CLI-10 an id that exists',
      'clients add --id shop --role partner',
      'error: --id must be new: there is a client shop already\n',
    ],
    [
      'CLI-11 an amount too fine',
      'clients add --id a --role partner --max-amount 1.2345',
      'error: --max-amount must have at most 3 decimals in OMR\n',
    ],
    [
      'CLI-13 no phone number',
      'clients add --id a --role partner --phone 12',
      /^error: --phone must be a phone number/,
    ],
    [
      'CLI-14 quotas that are none, all of them named',
      'clients add --id a --role partner --requests-per-second 0 --cost-per-minute 1.5 --open-streams 9',
      [
        'error: 2 options are wrong:',
        '  --requests-per-second must be a whole number from 1 to 1000000000',
        '  --cost-per-minute must be a whole number from 1 to 1000000000\n',
      ].join('\n'),
    ],
    [
      'CLI-12 all that is wrong, a line for each option',
      'clients add --id a:b --role boss --phone 12 --currencies OMR,OMX --max-amount 1.2345 --monthly-points x --open-streams 0',
      [
        'error: 7 options are wrong:',
        '  --id must be 1 to 128 letters, digits, or ._@|~- and start with a letter or digit',
        '  --role must be one of partner, portal, analyst, auditor',
        '  --currencies must be an active ISO 4217 currency code, such as OMR',
        '  --phone must be a phone number',
        '  --max-amount must have at most 3 decimals in OMR',
        '  --monthly-points must be a decimal number',
        '  --open-streams must be a whole number from 1 to 1000000000\n',
      ],
    ],
    ['CLI-15 an unknown client', 'clients rotate nobody', 'error: Client nobody not found\n'],
    ['CLI-16 no such file', 'directory import nowhere.json', 'error: nowhere.json cannot be read: ENOENT\n'],
    [
      'CLI-17 a file of another kind',
      'directory import nowhere.xml',
      /nowhere\.xml must end with \.json or \.csv\n$/,
    ],
  ])('%s fails with 1', async (_, command, message) => {
    const { code, stdout, stderr } = await cli(...command.split(' '))
    expect([code, stdout]).toEqual([1, ''])
    for (const part of [message].flat()) expect(stderr).toMatch(part)
  })

  it.each([
    ['CLI-20 an unknown option', 'clients list --all', "error: unknown option '--all'\n"],
    ['CLI-21 an unknown command', 'clients promote a', /^error: unknown command 'promote'/],
    [
      'CLI-22 a missing option',
      'clients add --id a',
      "error: required option '--role <role>' not specified\n",
    ],
    [
      'CLI-23 an overlap that is none',
      'clients rotate shop --overlap 31d',
      /^error: option '--overlap <duration>' argument '31d' is invalid\. It must be from 1m to 30d/,
    ],
    ['CLI-24 a missing argument', 'directory import', "error: missing required argument 'file'\n"],
  ])('%s is wrong usage, 2', async (_, command, message) => {
    const { code, stdout, stderr } = await cli(...command.split(' '))
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })

  it('CLI-40 a database in use says so', async () => {
    const { release: unlock } = await lockDataDir(dataDir)
    const { code, stderr } = await cli('clients', 'list')
    unlock()
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^error: The embedded database in .* is in use/),
    ])
  })

  it('CLI-41 a database that keeps nothing is refused', async () => {
    expect(await createCli('memory:')('clients', 'list')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: /),
    })
  })

  it.each([
    ['CLI-42 a command that succeeds', 'clients list --json', 0],
    ['CLI-43 a command that fails', 'clients rotate nobody', 1],
    ['CLI-44 wrong usage', 'clients promote a', 2],
  ])('%s as a process of its own', async (_, command, code) => {
    const spawned = await createSpawnedCli(dataDir)(...command.split(' '))
    expect(spawned).toEqual(await cli(...command.split(' ')))
    expect(spawned.code).toBe(code)
  })
})
