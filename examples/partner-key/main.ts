/**
 * A partner without a secret: it has a key of its own, and gets its tokens for assertions that it signs (private-key JWT,
 * RFC 7523).
 *
 *     node examples/partner-key/main.ts http://127.0.0.1:4000 /tmp/my-key      # the first time: makes the key
 *     npm run cli -- clients keys demo-partner --jwks /tmp/my-key/public.pem   # the operator registers its public half
 *     node examples/partner-key/main.ts http://127.0.0.1:4000 /tmp/my-key      # from then on: gets a token
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ADDRESS } from '../client.ts'

const TOKEN_ENDPOINT = `${ADDRESS}/oauth2/accesstoken`
const CLIENT = 'demo-partner'
const FOLDER = process.argv[3] ?? 'partner-key'
const LIFETIME_SECONDS = 60

/** Makes a key pair; the private half is for the owner's eyes alone, and leaves this machine never. */
const makeKey = (file: string): void => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  mkdirSync(FOLDER, { recursive: true, mode: 0o700 })
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  writeFileSync(join(FOLDER, 'public.pem'), publicKey.export({ type: 'spki', format: 'pem' }))
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Signs an assertion of who this client is (RFC 7523 §3). Each is good once, for a minute. */
const assertionOf = (key: KeyObject): string => {
  const now = Math.floor(Date.now() / 1_000)
  const times = { iat: now, exp: now + LIFETIME_SECONDS }
  const claims = { iss: CLIENT, sub: CLIENT, aud: TOKEN_ENDPOINT, jti: randomUUID(), ...times }
  const signed = `${encode({ alg: 'ES256', typ: 'JWT' })}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

const requestToken = async (key: KeyObject): Promise<string> => {
  const response = await fetch(TOKEN_ENDPOINT, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertionOf(key),
    }),
  })
  if (!response.ok) throw new Error(`No token: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { access_token: string }).access_token
}

const file = join(FOLDER, 'private.pem')
if (existsSync(file)) {
  const token = await requestToken(createPrivateKey(readFileSync(file)))
  const payments = await fetch(`${ADDRESS}/postpaid-billing/v1/payments?perPage=1`, {
    headers: { authorization: `Bearer ${token}` },
  })
  console.log(`${CLIENT} has a token; its payments: ${payments.headers.get('x-total-count')}`)
} else {
  makeKey(file)
  console.log(`made a key; the operator registers ${join(FOLDER, 'public.pem')}`)
}
