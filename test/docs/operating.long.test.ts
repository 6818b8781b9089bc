/** Commands of docs/operating.md, each run as it is printed there, or by the test that is named for it. */
import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../support/charging-simulator.ts'
import { blocksOf } from '../support/docs.ts'
import { type ServerProcess, startProcess } from '../support/process.ts'
import { readText } from '../support/sources.ts'

/** Commands that need what this file has not, by their beginning, each with the test that runs it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'npm ci --omit=dev': 'test/image/image.test.ts',
  'TLS_CERT=': 'test/core/http/tls.long.test.ts',
  'WORKERS=auto npm start': 'test/core/workers/workers.pg.long.test.ts',
  'npm run start:all': 'test/topology/processes/processes.long.test.ts',
  'npm run start:subgraph': 'test/topology/processes/processes.long.test.ts',
  'npm run start:gateway': 'test/topology/processes/processes.long.test.ts',
  'npm run cli -- doctor --receiver': 'test/cli/doctor.test.ts',
  'OTEL_EXPORTER_OTLP_ENDPOINT=': 'test/observability/traces/collector.long.test.ts',
  'AUTH_ISSUER=': 'test/core/access/provider/provider.long.test.ts',
  'npm run cli -- clients keys my-partner --jwks-uri': 'test/core/access/client-assertion.pg.test.ts',
  'npm run db:migrate': 'test/soak/upgrade.test.ts',
  pg_basebackup: 'test/ops/point-in-time.long.test.ts',
  'npm run cli -- database copy': 'test/cli/database.pg.long.test.ts',
  'patronictl ': 'test/failover/failover.test.ts',
  'npm run cli -- charging compare': 'test/cli/charging.long.test.ts',
}

/** Beginnings of commands that ask a server, which runs meanwhile. */
const ASKS_SERVER = ['npm start', 'TOKEN=', 'curl', 'npm run cli -- doctor', 'npm run cli -- backup']

/** Commands that are run on the backup alone. */
const ON_BACKUP = ['npm run cli -- restore', 'npm run cli -- installation confirm']

const startsWith = (command: string, beginnings: readonly string[]) =>
  beginnings.some(beginning => command.startsWith(beginning))

/** Commands of the page in their order, without their comments; one that is continued is one command. */
const COMMANDS: readonly string[] = blocksOf(readText('docs/operating.md'))
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => text.replaceAll('\\\n', '').split('\n'))
  .map(line => line.replace(/(^|\s)# .*$/, '').trim())
  .filter(Boolean)

const own = COMMANDS.filter(command => !startsWith(command, Object.keys(ELSEWHERE)))
const here = {
  stopped: own.filter(command => !startsWith(command, [...ASKS_SERVER, ...ON_BACKUP])),
  running: own.filter(command => startsWith(command, ASKS_SERVER)),
  restored: own.filter(command => startsWith(command, ON_BACKUP)),
}

it('DOCS-50 MUST each be run here, or by a test that exists', () => {
  expect(here.stopped.length + here.running.length + here.restored.length).toBe(own.length)
  for (const [beginning, file] of Object.entries(ELSEWHERE)) {
    expect([beginning, COMMANDS.some(command => command.startsWith(beginning))]).toEqual([beginning, true])
    expect([file, existsSync(file)]).toEqual([file, true])
  }
})

describe('commands of docs/operating.md', { timeout: 180_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'partner-graph-operating-'))
  const dataDir = join(folder, 'data')
  const variables: Record<string, string> = {}
  let port: number
  let server: ServerProcess | undefined
  let correlator: string

  /** Puts real files, addresses and correlators into the place of those on the page. */
  const filledIn = (command: string) =>
    command
      .replaceAll('/var/backups/', `${folder}/`)
      .replaceAll('failed.csv', join(folder, 'failed.csv'))
      .replaceAll('clients.graphql', 'schema/api.graphql')
      .replaceAll('my-partner.jwks.json', join(folder, 'keys.json'))
      .replaceAll('directory import accounts.json', 'directory import prisma/demo/directory.json')
      .replaceAll('http://127.0.0.1:4000', `http://127.0.0.1:${port}`)
      .replaceAll('https://api.example.com', `http://127.0.0.1:${port}`)
      .replaceAll('<correlator|id>', correlator)

  /** Runs a command in a shell, and keeps the variable that it sets. @throws Error where its exit code is not 0. */
  const run = async (command: string, data = dataDir): Promise<string> => {
    const [, name] = /^([A-Z]+)=\$\(/.exec(command) ?? []
    const text = `${filledIn(command)}${name ? `\nprintf %s "$${name}"` : ''}`
    const { DATABASE_URL: _, ...inherited } = process.env
    const env = {
      ...inherited,
      ...variables,
      DATA_DIR: data,
      DEMO: '1',
      PORT: String(port),
      LOG_LEVEL: 'error',
    }
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    execFile('bash', ['-euo', 'pipefail', '-c', text], { env, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      error ? reject(new Error(`${command}\n${stdout}\n${stderr}`)) : resolve(stdout),
    )
    const printed = await promise
    if (name) variables[name] = printed
    return printed
  }

  beforeAll(async () => {
    port = await freePort()
    const { publicKey } = await generateKeyPair('ES256')
    writeFileSync(join(folder, 'keys.json'), JSON.stringify({ keys: [await exportJWK(publicKey)] }))
    // The first start puts the demo into the database, with transactions to look at.
    await (await startProcess({ DATA_DIR: dataDir, DEMO: '1', LOG_LEVEL: 'info' })).stop()
    const csv = await run('npm run -s cli -- export timeline --format csv')
    correlator = /demo-[\w-]+/.exec(csv)?.[0] ?? ''
    await run('npm run -s cli -- clients add --id my-partner --role partner')
  }, 120_000)
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each(here.stopped)('DOCS-51 MUST do what it says, on a database at rest: %s', async command => {
    await run(command)
  })

  it('DOCS-52 MUST do what they say beside a server, in their order', async () => {
    server = await startProcess({ DATA_DIR: dataDir, DEMO: '1', PORT: String(port), LOG_LEVEL: 'info' })
    for (const command of here.running) if (command !== 'npm start') await run(command)
  })

  it('DOCS-53 MUST bring a backup back, which sends nothing until it is confirmed', async () => {
    await server?.stop()
    server = undefined
    const restored = join(folder, 'restored')
    execFileSync('mkdir', [restored])
    copyFileSync(join(dataDir, 'secrets.key'), join(restored, 'secrets.key'))
    const [restore, ...confirm] = here.restored
    await run(restore!, restored)
    const show = 'npm run -s cli -- installation show'
    const copied = await run(show, restored)
    for (const command of confirm) await run(command, restored)
    expect([copied, await run(show, restored)]).toMatchObject([
      expect.not.stringMatching(/servers here send\n/),
      expect.stringMatching(/servers here send\n/),
    ])
  })
})
