/** Identity provider of an operator: a local server that publishes keys, and what it signs with them. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import fastify from 'fastify'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload } from 'jose'
import { type Access, createAccess } from '#core/access/access.ts'
import { readConfig } from '#core/config/config.ts'
import { type Db, openDatabase } from '#core/data/db.ts'
import { config, log, signWith } from './support.ts'

export const ISSUER = 'https://id.example.com/realms/operator'

export const seconds = (): number => Math.floor(Date.now() / 1_000)

export interface Issuer extends AsyncDisposable {
  /** Address of its keys. */
  readonly keysUrl: string
  /** Database of the access that it connects. */
  readonly db: Db
  /** The keys that it publishes. */
  readonly published: readonly JWK[]
  /** Private keys by their algorithm. */
  readonly keys: Readonly<Record<string, JWK>>
  /** Private key of a published one that is too short to be accepted (RFC 7518 §3.3). */
  readonly weak: KeyObject
  /** Whether it gives its keys. */
  healthy: boolean
  /** Makes access for its tokens, with these settings beside. */
  connect(env?: Record<string, string>): Promise<Access>
  /** Signs claims, by RS256 unless another algorithm is given. */
  sign(claims: JWTPayload, alg?: string, jwk?: JWK): Promise<string>
}

/** Starts a provider with keys of three algorithms, and a database that its clients may be on record in. */
export async function openIssuer(): Promise<Issuer> {
  await using stack = new AsyncDisposableStack()
  const published: JWK[] = []
  const publish = async (alg: string) => {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
    published.push({ ...(await exportJWK(publicKey)), kid: alg, use: 'sig' })
    return exportJWK(privateKey)
  }
  const keys: Record<string, JWK> = {}
  for (const alg of ['RS256', 'ES256', 'EdDSA']) keys[alg] = await publish(alg)
  const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 })
  published.push({ ...weak.publicKey.export({ format: 'jwk' }), kid: 'weak', alg: 'RS256', use: 'sig' })
  const provider = fastify()
  provider.get('/certs', (_, reply) => reply.status(issuer.healthy ? 200 : 500).send({ keys: published }))
  await provider.listen({ port: 0 })
  stack.defer(() => provider.close())
  const database = await openDatabase(config)
  stack.defer(() => database.close())
  const keysUrl = `${provider.listeningOrigin}/certs`
  const opened = stack.move()
  const issuer: Issuer = {
    ...{ keysUrl, published, keys, db: database.db, weak: weak.privateKey, healthy: true },
    connect: async (env = {}) =>
      createAccess({
        config: readConfig({
          ...{
            DATA_DIR: 'memory:',
            AUTH_ISSUER: ISSUER,
            AUTH_AUDIENCE: 'partner-api',
            AUTH_JWKS_URL: keysUrl,
          },
          ...env,
        }),
        log,
        db: database.db,
      }),
    sign: (claims, alg = 'RS256', jwk = keys[alg]!) =>
      signWith(
        jwk,
        { alg, kid: alg, typ: 'JWT' },
        {
          iss: ISSUER,
          aud: ['account', 'partner-api'],
          sub: 'subject',
          exp: seconds() + 60,
          role: 'partner',
          ...claims,
        },
      ),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
  return issuer
}
