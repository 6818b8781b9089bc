/** Clients that show a certificate at the token endpoint: over TLS to the server itself, and in a proxy's header. */
import { createPublicKey, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:http2'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { proveByCertificate } from '#core/access/client-certificate.ts'
import { setClientKeys } from '#core/access/client-keys.ts'
import { SERVER } from '#core/audit/acts.ts'
import { readConfig } from '#core/config/config.ts'
import { issueCertificate } from '#test/support/certificates.ts'
import { type Stack, startStack } from '#test/support/stack.ts'

const PATH = '/oauth2/accesstoken'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const folder = mkdtempSync(join(tmpdir(), 'client-certificates-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Identity {
  readonly cert: string
  readonly key: string
}

/** Makes a certificate that no other authority has signed. */
const issue = (name: string): Identity => {
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)]
  issueCertificate({ cert, key }, name, 30)
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
}

const [own, other, server] = ['own', 'other', 'server'].map(issue) as [Identity, Identity, Identity]
const TLS = { TLS_CERT: join(folder, 'server.crt'), TLS_KEY: join(folder, 'server.key') }

/** Starts a program at which the client `shop` has the key of its certificate. */
const start = async (env: Record<string, string>): Promise<Stack> => {
  const stack = await startStack({ env: { ...env, LOG_LEVEL: 'silent' } })
  await stack.app.access.clients.add({ id: 'shop', role: 'partner' })
  const jwks = { keys: [createPublicKey(own.cert).export({ format: 'jwk' })] }
  await setClientKeys(stack.app.db, 'shop', { jwks }, { allow: stack.app.config.webhookAllow, by: SERVER })
  return stack
}

const body = (form: Record<string, string> = {}) =>
  new URLSearchParams({ grant_type: 'client_credentials', client_id: 'shop', ...form }).toString()

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

const overHttp1 = async (
  address: string,
  identity?: Identity,
  headers = {},
  form = body(),
): Promise<Answer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const options = {
    ...identity,
    ca: server.cert,
    method: 'POST',
    headers: { ...FORM, ...headers },
    agent: false,
  }
  request(`${address}${PATH}`, options, async response =>
    resolve({ status: response.statusCode!, body: JSON.parse(await text(response)) }),
  )
    .once('error', reject)
    .end(form)
  return promise
}

const overHttp2 = async (address: string, identity?: Identity): Promise<Answer> => {
  const session = connect(address, { ...identity, ca: server.cert })
  try {
    const stream = session.request({ ':path': PATH, ':method': 'POST', ...FORM })
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    stream.once('response', headers => resolve(headers[':status']!)).once('error', reject)
    stream.end(body())
    return { status: await promise, body: JSON.parse(await text(stream)) }
  } finally {
    session.destroy()
  }
}

const REFUSED = { status: 401, body: { error: 'invalid_client' } }
const WRONG_KEY = 'Unknown client, or a certificate whose key is none of its keys'
const NONE_SHOWN = 'Client id and secret are required'

describe('CLIENT_CERTIFICATES=tls', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await start({ ...TLS, CLIENT_CERTIFICATES: 'tls' })
  })
  afterAll(() => stack?.[Symbol.asyncDispose]())

  it.each([
    ['HTTP/1.1', overHttp1],
    ['HTTP/2', overHttp2],
  ] as const)(
    'CERT-01 MUST give a token for a registered key over %s, and none for another',
    async (_, ask) => {
      const { status, body: given } = await ask(stack.address, own)
      expect(status).toBe(200)
      await expect(stack.app.access.verify(`Bearer ${given['access_token']}`)).resolves.toMatchObject({
        clientId: 'shop',
      })
      expect(await ask(stack.address, other)).toMatchObject({
        ...REFUSED,
        body: { error_description: WRONG_KEY },
      })
      expect(await ask(stack.address)).toMatchObject({ ...REFUSED, body: { error_description: NONE_SHOWN } })
    },
  )

  it('CERT-02 MUST not take a certificate in place of a secret that is wrong, nor of a header', async () => {
    const secret = body({ client_secret: 'wrong' })
    expect(await overHttp1(stack.address, own, {}, secret)).toMatchObject(REFUSED)
    const { raw } = new X509Certificate(own.cert)
    const shown = { 'client-cert': `:${raw.toString('base64')}:` }
    expect(await overHttp1(stack.address, undefined, shown)).toMatchObject({
      ...REFUSED,
      body: { error_description: NONE_SHOWN },
    })
  })

  it('CERT-03 MUST refuse a certificate out of its time, and a client that is disabled', async () => {
    const certificate = new X509Certificate(own.cert)
    const record = (await stack.app.access.clients.find('shop'))!
    const waits = { client: 0, unknown: 0, hasFailed: false }
    const refute = (changes: object, days: number) =>
      proveByCertificate(certificate).refute({ ...record, ...changes }, waits, Date.now() + days * 86_400_000)
    expect(await refute({}, 0)).toBeUndefined()
    expect(await refute({}, 31)).toContain('has expired at')
    expect(await refute({}, -1)).toContain('is valid from')
    expect(await refute({ disabledAt: new Date() }, 0)).toBe(WRONG_KEY)
    expect(await refute({ jwks: null }, 0)).toBe(WRONG_KEY)
  })
})

describe('CLIENT_CERTIFICATES=proxy', () => {
  const shown = (identity: Identity) => ({
    'client-cert': `:${new X509Certificate(identity.cert).raw.toString('base64')}:`,
  })
  const ask = async (address: string, headers: Record<string, string>): Promise<Answer> => {
    const response = await fetch(address + PATH, {
      method: 'POST',
      headers: { ...FORM, ...headers },
      body: body(),
    })
    return { status: response.status, body: (await response.json()) as Answer['body'] }
  }

  it('CERT-04 MUST believe the header of a trusted proxy, and of nobody else', async () => {
    const settings = { CLIENT_CERTIFICATES: 'proxy', TRUST_PROXY: '127.0.0.1' }
    await using trusted = await start(settings)
    expect((await ask(trusted.address, shown(own))).status).toBe(200)
    for (const headers of [{}, shown(other), { 'client-cert': ':!:' }, { 'client-cert': ':AAAA:' }])
      expect(await ask(trusted.address, headers)).toMatchObject(REFUSED)
    await using untrusted = await start({ ...settings, TRUST_PROXY: '192.0.2.1' })
    expect(await ask(untrusted.address, shown(own))).toMatchObject({
      ...REFUSED,
      body: { error_description: NONE_SHOWN },
    })
    await using without = await start({ TRUST_PROXY: '127.0.0.1' })
    expect(await ask(without.address, shown(own))).toMatchObject(REFUSED)
  })

  it.each([
    [{ CLIENT_CERTIFICATES: 'tls' }, 'TLS_CERT must be set'],
    [{ CLIENT_CERTIFICATES: 'proxy' }, 'TRUST_PROXY must name addresses'],
    [{ CLIENT_CERTIFICATES: 'proxy', TRUST_PROXY: '1' }, 'TRUST_PROXY must name addresses'],
    [{ CLIENT_CERTIFICATES: 'both' }, 'CLIENT_CERTIFICATES must be'],
  ])('CERT-05 MUST be refused at the start where nothing could be believed: %j', (env, fault) => {
    expect(() => readConfig({ DATA_DIR: 'memory:', ...env })).toThrow(fault)
  })
})
