/** Access: the clients, their secrets and tokens, and the issuer that is trusted, from one configuration. */
import type { JSONWebKeySet } from 'jose'
import type { RefusedSignIns } from '../audit/refused-sign-ins.ts'
import type { Config } from '../config/config.ts'
import { fromDatabase } from '../data/database-errors.ts'
import type { Db } from '../data/db.ts'
import { ServiceError } from '../errors/catalogue.ts'
import type { ClientMetrics } from '../observability/client-metrics.ts'
import type { Logger } from '../observability/log.ts'
import { type Cipher, createCipher } from './cipher.ts'
import { createProveByAssertion, type ProveByAssertion } from './client-assertion.ts'
import { type Authenticate, createAuthenticate, type RefusedSecret } from './client-authentication.ts'
import { createReadCertificate, type ReadCertificate } from './client-certificate.ts'
import { type ClientRecord, type Clients, createClients } from './clients.ts'
import { loadEncryptionKeys } from './encryption-keys.ts'
import { createGatewaySeals, type GatewaySeals } from './gateway-seal.ts'
import { checkEncryptionKey } from './key-check.ts'
import { externalIssuer } from './outside-issuers.ts'
import { createPublishedKeys } from './published-keys.ts'
import { createKeys, type Keys } from './signing-keys.ts'
import {
  createOwnCounts,
  createSharedCounts,
  createThrottle,
  type FailureCounts,
  withOwnCounts,
} from './throttle.ts'
import { builtInIssuer, createIssue, createVerifier, type Verify } from './tokens.ts'
import { createUseOnce } from './used-assertions.ts'
import { createWebhookKeys, type WebhookKeys } from './webhook-keys.ts'
import { createWebhookSecrets, type WebhookSecrets } from './webhook-secrets.ts'

/** The built-in issuer of tokens. */
export interface Issuer {
  readonly authenticate: Authenticate
  readonly proveByAssertion: ProveByAssertion
  readonly readCertificate: ReadCertificate
  issue(client: ClientRecord): Promise<string>
  /** The public keys that verify its tokens. */
  jwks(): Promise<JSONWebKeySet>
  readonly lifetimeSeconds: number
}

export interface Access {
  readonly clients: Clients
  readonly cipher: Cipher
  readonly verify: Verify
  readonly webhookSecrets: WebhookSecrets
  readonly webhookKeys: WebhookKeys
  readonly seals: GatewaySeals
  /** Absent when an external issuer is configured (`AUTH_JWKS_URL`). */
  readonly issuer?: Issuer
}

export interface AccessOptions {
  config: Config
  db: Db
  log: Logger
  /** Counts what is refused. */
  metrics?: Pick<ClientMetrics, 'tokensRefused' | 'secretsRefused'>
  /** Records refused secrets. */
  refusals?: Pick<RefusedSignIns, 'countSecret'>
  /** Whether this process itself listens at an address, where no client publishes keys. */
  isOwn?: (ip: string, port: number) => boolean
  /** Milliseconds since 1970; tests bring their own clock. */
  now?: () => number
}

/** Counts guesses of secrets for all processes where the database may be written. */
const failureCounts = ({ config, db, log, now }: AccessOptions): FailureCounts => {
  const [shared, own] = [createSharedCounts(db), createOwnCounts(now)]
  const { fail, forget } = config.readOnly ? own : shared
  return withOwnCounts({ ...shared, fail, forget }, own, log)
}

const createIssuer = (options: AccessOptions, clients: Clients, keys: Keys): Issuer => {
  const { config, db, log, metrics, refusals, isOwn, now = Date.now } = options
  const throttle = createThrottle(failureCounts(options))
  const onRefused = ({ kind, reason, clientId, address }: RefusedSecret) => {
    metrics?.secretsRefused.inc({ reason })
    refusals?.countSecret(clientId, address, kind)
  }
  return {
    authenticate: createAuthenticate({ clients, throttle, log, onRefused, now }),
    proveByAssertion: createProveByAssertion({
      published: createPublishedKeys({ allow: config.webhookAllow, isOwn, now }),
      useOnce: createUseOnce(db),
      audiences: [config.auth.issuer, ...config.tokenEndpoints],
      readOnly: config.readOnly,
      now,
    }),
    readCertificate: createReadCertificate(config.clientCertificates, config.trustProxy),
    issue: createIssue(config, keys, now),
    jwks: keys.publicJwks,
    lifetimeSeconds: config.tokenLifetimeSeconds,
  }
}

/** A wrong SECRETS_KEY stops the start; an unreachable database does not, since it will return. */
const warmUp = async (
  { db, log }: AccessOptions,
  cipher: Cipher,
  ...keySets: readonly Pick<Keys, 'publicJwks'>[]
) => {
  try {
    await checkEncryptionKey(db, cipher)
    for (const keys of keySets) await keys.publicJwks()
  } catch (error) {
    if (!(error instanceof ServiceError || fromDatabase(error))) throw error
    log.warn({ err: error }, 'database unreachable; the signing keys are read when it is back')
  }
}

/**
 * Makes access on this database.
 * @throws SetupError when the secrets in the database were encrypted with another SECRETS_KEY.
 */
export async function createAccess(options: AccessOptions): Promise<Access> {
  const { config, db, now } = options
  const { auth, countryCode, requestTimeoutMs } = config
  const { key, others } = loadEncryptionKeys(config)
  const [cipher, seals] = [createCipher(key, others), createGatewaySeals(key, now, others)]
  const clients = createClients(db, { countryCode, now, timeoutMs: requestTimeoutMs })
  const webhookSecrets = createWebhookSecrets(db, cipher, clients, now)
  const webhookKeys = createWebhookKeys(db, cipher, { readOnly: config.readOnly, now })
  const own = { clients, cipher, webhookSecrets, webhookKeys, seals }
  const onRefused = (reason: string) => options.metrics?.tokensRefused.inc({ reason })
  if (auth.jwksUrl) {
    await warmUp(options, cipher, webhookKeys)
    const issuer = externalIssuer(auth)
    return { ...own, verify: createVerifier({ issuer, clients, countryCode, onRefused, now }) }
  }
  const keys = createKeys(db, cipher, now)
  await warmUp(options, cipher, keys, webhookKeys)
  const issuer = builtInIssuer(config, keys)
  const verify = createVerifier({ issuer, clients, countryCode, onRefused, now })
  return { ...own, verify, issuer: createIssuer(options, clients, keys) }
}

/** Command that adds a first client. */
const ADD_FIRST_CLIENT = 'npm run cli -- clients add --id my-partner --role partner'

/** Logs how to add the first client, where there is none and tokens are issued here. */
export async function hintAtFirstClient(
  db: Db,
  { auth }: Pick<Config, 'auth'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  if (auth.jwksUrl || (await db.client.findFirst({ select: { id: true } }))) return
  log.warn(`there is no client yet, so no token can be issued; add one with: ${ADD_FIRST_CLIENT}`)
}
