/** TLS of several processes: the workers of a server, and the gateway of `start:all`, whose services stay behind it. */
import { createPublicKey } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { setClientKeys } from '#core/access/client-keys.ts'
import { SERVER } from '#core/audit/acts.ts'
import { readConfig } from '#core/config/config.ts'
import { openDatabase } from '#core/data/db.ts'
import { issueCertificate } from '#test/support/certificates.ts'
import { FIXTURES } from '#test/support/fixtures/all.ts'
import { createEmpty, type Scratch, SECRETS_KEY } from '#test/support/postgres.ts'
import { type ServerProcess, START_ALL, startProcess } from '#test/support/process.ts'

const LONG_MS = 180_000
/** Connections of a look: with two workers, all of them reach the same one once in a thousand million looks. */
const CONNECTIONS = 30
const FORM = 'application/x-www-form-urlencoded'

let folder: string
let scratch: Scratch
let server: ServerProcess | undefined
const files = (name: string) => ({ cert: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) })

/** Puts a pair in the place of the served one, each file by a rename. */
const install = (name: string): void => {
  for (const kind of ['cert', 'key'] as const) {
    copyFileSync(files(name)[kind], join(folder, 'new'))
    renameSync(join(folder, 'new'), files('served')[kind])
  }
}

const servedName = async (): Promise<unknown> => {
  const { hostname, port } = new URL(server!.address)
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const name = socket.getPeerCertificate().subject.CN
  socket.destroy()
  return name
}

/** Names of the certificates that new connections meet. */
const servedNames = async () => [
  ...new Set(await Promise.all(Array.from({ length: CONNECTIONS }, servedName))),
]

interface Post {
  readonly body: string
  readonly headers: Record<string, string>
  readonly certificate?: { readonly cert: string; readonly key: string }
}

const post = async (path: string, { body, headers, certificate }: Post) => {
  const options = {
    method: 'POST',
    agent: false,
    rejectUnauthorized: false,
    headers,
    ...certificate,
  } as const
  const sent = request(server!.address + path, options).end(body)
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, body: JSON.parse(await text(response)) }
}

describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')('TLS of several processes', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'processes-tls-'))
    for (const name of ['one', 'two', 'partner']) issueCertificate(files(name), name)
    scratch = await createEmpty()
  }, LONG_MS)
  afterEach(async () => {
    await server?.stop()
    server = undefined
  }, LONG_MS)
  afterAll(async () => {
    await scratch?.drop()
    if (folder) rmSync(folder, { recursive: true })
  })

  const settings = (): Record<string, string> => ({
    DATABASE_URL: scratch.url,
    SECRETS_KEY,
    DEMO: '1',
    LOG_LEVEL: 'info',
    TLS_CERT: files('served').cert,
    TLS_KEY: files('served').key,
    CLIENT_CERTIFICATES: 'tls',
  })

  const registerKey = async () => {
    const config = readConfig({ DATABASE_URL: scratch.url, SECRETS_KEY })
    const { db, close } = await openDatabase(config)
    const jwks = { keys: [createPublicKey(readFileSync(files('partner').cert)).export({ format: 'jwk' })] }
    await setClientKeys(db, 'demo-partner', { jwks }, { allow: config.webhookAllow, by: SERVER }).finally(
      close,
    )
  }

  it.each([
    ['workers', { WORKERS: '2' }, undefined],
    ['the gateway of start:all', {}, START_ALL],
  ] as const)(
    'TLS-20 MUST serve, know a client by its certificate, and take the next certificate: %s',
    async (_, env, program) => {
      install('one')
      server = await startProcess({ ...settings(), ...env }, program)
      expect(server.address).toMatch(/^https:/)
      expect(await servedNames()).toEqual(['one'])

      await registerKey()
      const certificate = {
        cert: readFileSync(files('partner').cert, 'utf8'),
        key: readFileSync(files('partner').key, 'utf8'),
      }
      const body = 'grant_type=client_credentials&client_id=demo-partner'
      const granted = await post('/oauth2/accesstoken', {
        body,
        headers: { 'content-type': FORM },
        certificate,
      })
      expect(granted.status).toBe(200)
      const [payment] = FIXTURES
      const headers = {
        authorization: `Bearer ${granted.body.access_token}`,
        'content-type': 'application/json',
      }
      const paid = await post(payment!.path, { body: JSON.stringify(payment!.body()), headers })
      expect(paid.status).toBe(201)

      install('two')
      await expect.poll(servedNames, { timeout: 60_000, interval: 500 }).toEqual(['two'])
    },
    LONG_MS,
  )
})
