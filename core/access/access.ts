/** Access: the clients, their secrets and tokens, and the issuer that is trusted, from one configuration. */
import type { JSONWebKeySet } from 'jose'
import type { Config } from '../config/config.ts'
import { fromDatabase } from '../data/database-errors.ts'
import type { PrismaClient, Reader } from '../data/db.ts'
import { ServiceError } from '../errors/catalogue.ts'
import type { Logger } from '../observability/log.ts'
import { type Cipher, createCipher, loadEncryptionKey } from './cipher.ts'
import { type Authenticate, createAuthenticate } from './client-authentication.ts'
import { type ClientRecord, type Clients, createClients } from './clients.ts'
import { checkEncryptionKey } from './key-check.ts'
import { createKeys, type Keys } from './signing-keys.ts'
import {
  createOwnCounts,
  createSharedCounts,
  createThrottle,
  type FailureCounts,
  withOwnCounts,
} from './throttle.ts'
import { builtInIssuer, createIssue, createVerifier, externalIssuer, type Verify } from './tokens.ts'
import { createWebhookSecrets, type WebhookSecrets } from './webhook-secrets.ts'

/** The built-in issuer of tokens. */
export interface Issuer {
  readonly authenticate: Authenticate
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
  /** Absent when an external issuer is configured (`AUTH_JWKS_URL`). */
  readonly issuer?: Issuer
}

export interface AccessOptions {
  config: Config
  prisma: PrismaClient
  /** Reads clients; the Prisma client by default. */
  reader?: Reader
  log: Logger
  /** Milliseconds since 1970; tests bring their own clock. */
  now?: () => number
}

/** Counts guesses of secrets for all processes where the database may be written. */
const failureCounts = ({ config, prisma, log, now }: AccessOptions): FailureCounts => {
  const [shared, own] = [createSharedCounts(prisma), createOwnCounts(now)]
  const { fail, forget } = config.readOnly ? own : shared
  return withOwnCounts({ ...shared, fail, forget }, own, log)
}

const createIssuer = (options: AccessOptions, clients: Clients, keys: Keys): Issuer => {
  const { config, log, now } = options
  return {
    authenticate: createAuthenticate({ clients, throttle: createThrottle(failureCounts(options)), log, now }),
    issue: createIssue(config, keys, now),
    jwks: keys.publicJwks,
    lifetimeSeconds: config.tokenLifetimeSeconds,
  }
}

/** A wrong SECRETS_KEY stops the start; an unreachable database does not, since it will return. */
const warmUp = async ({ prisma, log }: AccessOptions, cipher: Cipher, keys?: Keys) => {
  try {
    await checkEncryptionKey(prisma, cipher)
    await keys?.publicJwks()
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
  const { config, prisma, reader, now } = options
  const { auth, countryCode, requestTimeoutMs } = config
  const cipher = createCipher(loadEncryptionKey(config))
  const clients = createClients(prisma, { reader, countryCode, now, timeoutMs: requestTimeoutMs })
  const webhookSecrets = createWebhookSecrets(prisma, cipher, clients, now)
  if (auth.jwksUrl) {
    await warmUp(options, cipher)
    const issuer = externalIssuer(auth, auth.jwksUrl)
    return { clients, cipher, webhookSecrets, verify: createVerifier({ issuer, clients, countryCode, now }) }
  }
  const keys = createKeys(prisma, cipher, now)
  await warmUp(options, cipher, keys)
  const verify = createVerifier({ issuer: builtInIssuer(config, keys), clients, countryCode, now })
  return { clients, cipher, webhookSecrets, verify, issuer: createIssuer(options, clients, keys) }
}

/** Command that adds a first client. */
const ADD_FIRST_CLIENT = 'npm run cli -- clients add --id my-partner --role partner'

/** Logs how to add the first client, where there is none and tokens are issued here. */
export async function hintAtFirstClient(
  prisma: PrismaClient,
  { auth }: Pick<Config, 'auth'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  if (auth.jwksUrl || (await prisma.client.findFirst({ select: { id: true } }))) return
  log.warn(`there is no client yet, so no token can be issued; add one with: ${ADD_FIRST_CLIENT}`)
}
