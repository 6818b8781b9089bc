/** Access: who the clients are, how they get tokens, whose tokens are believed; all of it from one configuration. */
import type { JSONWebKeySet } from 'jose'
import type { Config } from '../config/config.ts'
import { fromDatabase } from '../data/database-errors.ts'
import type { PrismaClient, Reader } from '../data/db.ts'
import { ServiceError } from '../errors/catalogue.ts'
import type { Logger } from '../observability/log.ts'
import { type Authenticate, createAuthenticate } from './authenticate.ts'
import { type Cipher, createCipher } from './cipher.ts'
import { type ClientRecord, type Clients, createClients } from './clients.ts'
import { loadEncryptionKey } from './encryption-key.ts'
import { createOwnCounts, createSharedCounts, type FailureCounts, withOwnCounts } from './failure-counts.ts'
import { checkEncryptionKey } from './key-check.ts'
import { createKeys, type Keys } from './keys.ts'
import { createThrottle } from './throttle.ts'
import { builtInIssuer, outsideIssuer } from './token-issuers.ts'
import { createIssue, createVerifier, type Verify } from './tokens.ts'
import { createWebhookSecrets, type WebhookSecrets } from './webhook-secrets.ts'

/** The built-in issuer of tokens. */
export interface Issuer {
  readonly authenticate: Authenticate
  issue(client: ClientRecord): Promise<string>
  /** The public keys that verify what it issues. */
  jwks(): Promise<JSONWebKeySet>
  readonly lifetimeSeconds: number
}

export interface Access {
  readonly clients: Clients
  readonly cipher: Cipher
  readonly verify: Verify
  readonly webhookSecrets: WebhookSecrets
  /** Absent when an outside issuer is configured (`AUTH_JWKS_URL`). */
  readonly issuer?: Issuer
}

export interface AccessParts {
  config: Config
  prisma: PrismaClient
  /** What reads clients; the same as writes them where it is not given. */
  reader?: Reader
  log: Logger
  /** Milliseconds since 1970; tests bring their own clock. */
  now?: () => number
}

/** Guessed secrets, counted for all processes where the database may be written. */
const failureCounts = ({ config, prisma, log, now }: AccessParts): FailureCounts => {
  const [shared, own] = [createSharedCounts(prisma), createOwnCounts(now)]
  const { fail, forget } = config.readOnly ? own : shared
  return withOwnCounts({ ...shared, fail, forget }, own, log)
}

const createIssuer = (parts: AccessParts, clients: Clients, keys: Keys): Issuer => {
  const { config, log, now } = parts
  return {
    authenticate: createAuthenticate({ clients, throttle: createThrottle(failureCounts(parts)), log, now }),
    issue: createIssue(config, keys, now),
    jwks: keys.publicJwks,
    lifetimeSeconds: config.tokenLifetimeSeconds,
  }
}

/** A wrong SECRETS_KEY stops the start; a database that is away does not, since it will be back. */
const warmUp = async ({ prisma, log }: AccessParts, cipher: Cipher, keys?: Keys) => {
  try {
    await checkEncryptionKey(prisma, cipher)
    await keys?.publicJwks()
  } catch (error) {
    if (!(error instanceof ServiceError || fromDatabase(error))) throw error
    log.warn({ err: error }, 'database unreachable; the signing keys are read when it is back')
  }
}

/**
 * Everything about access on this database.
 * @throws SetupError when what is encrypted in the database was encrypted with another SECRETS_KEY.
 */
export async function createAccess(parts: AccessParts): Promise<Access> {
  const { config, prisma, reader, now } = parts
  const { auth, countryCode, requestTimeoutMs } = config
  const cipher = createCipher(loadEncryptionKey(config))
  const clients = createClients(prisma, { reader, countryCode, now, timeoutMs: requestTimeoutMs })
  const webhookSecrets = createWebhookSecrets(prisma, cipher, clients, now)
  if (auth.jwksUrl) {
    await warmUp(parts, cipher)
    const issuer = outsideIssuer(auth, auth.jwksUrl)
    return { clients, cipher, webhookSecrets, verify: createVerifier({ issuer, clients, countryCode, now }) }
  }
  const keys = createKeys(prisma, cipher, now)
  await warmUp(parts, cipher, keys)
  const verify = createVerifier({ issuer: builtInIssuer(config, keys), clients, countryCode, now })
  return { clients, cipher, webhookSecrets, verify, issuer: createIssuer(parts, clients, keys) }
}
