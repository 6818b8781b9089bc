/** Settings that belong together, or are written in a form of their own, with the rules between them. */
import { availableParallelism } from 'node:os'
import { isAllowEntry } from '../egress/callback-policy.ts'
import { addressFault } from './database-address.ts'
import type { SettingsReader } from './settings.ts'
import { readTrustedDocuments } from './trusted-documents.ts'

/** An offset such as +04:00 is no zone: JavaScript reads it as east of UTC, and PostgreSQL, after POSIX, as west. */
const isZone = (zone: string) => {
  if (/^[+-]/.test(zone)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}

const isUrl = (text: string, protocols: string[]) =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol)

/** Settings that name an outside identity provider, all of which are needed. */
const OUTSIDE_ISSUER = ['AUTH_ISSUER', 'AUTH_AUDIENCE', 'AUTH_JWKS_URL'] as const

/** An outside identity provider. */
export interface OutsideIssuer {
  readonly issuer: string
  readonly jwksUrl: string
}

/** Reads the pairs of `AUTH_ISSUER` and `AUTH_JWKS_URL`. */
const readIssuers = (read: SettingsReader): OutsideIssuer[] => {
  const urls = read.list('AUTH_JWKS_URL')
  read.expect(
    urls.every(url => isUrl(url, ['http:', 'https:'])),
    'AUTH_JWKS_URL',
    'an http(s) address, or several comma-separated',
  )
  const issuers = read.list('AUTH_ISSUER')
  if (urls.length > 0 && issuers.length > 0)
    read.expect(
      urls.length === issuers.length && new Set(issuers).size === issuers.length,
      'AUTH_JWKS_URL',
      `one address for each of AUTH_ISSUER, which names ${issuers.length}`,
    )
  return issuers.flatMap((issuer, index) => (urls[index] ? [{ issuer, jwksUrl: urls[index] }] : []))
}

const ROLE_ENTRY = /^([^:].*):([a-z]+)$/

/** Reads `AUTH_ROLE_MAP`: the last colon parts word and role, since a word may be an address. */
const readRoleMap = (read: SettingsReader): ReadonlyMap<string, string> | undefined => {
  const entries = read.list('AUTH_ROLE_MAP')
  if (entries.length === 0) return undefined
  const pairs = entries.map(entry => ROLE_ENTRY.exec(entry))
  read.expect(
    pairs.every(pair => pair !== null),
    'AUTH_ROLE_MAP',
    'word:role, comma-separated, such as portal-users:portal',
  )
  return new Map(pairs.flatMap(pair => (pair ? [[pair[1]!.trim(), pair[2]!] as const] : [])))
}

/** The issuer of clients' tokens: this installation, or an outside identity provider. */
export const readAuth = (read: SettingsReader) => {
  const issuers = readIssuers(read)
  const jwksUrl = issuers[0]?.jwksUrl ?? read.optional('AUTH_JWKS_URL')
  const given = OUTSIDE_ISSUER.filter(name => read.optional(name))
  const missing = OUTSIDE_ISSUER.filter(name => !given.includes(name))
  if (given.length > 0)
    read.faults.push(...missing.map(name => `${name} must be set when ${given.join(' and ')} is set`))
  const issuer = issuers[0]?.issuer ?? read.text('AUTH_ISSUER')
  const unregistered = read.text('UNREGISTERED_CLIENTS')
  const registeredOnly = unregistered === 'refuse'
  const clientId = read.optional('AUTH_CLIENT_ID')
  if (clientId !== undefined) {
    if (given.length === 0) read.faults.push(`AUTH_CLIENT_ID needs ${OUTSIDE_ISSUER.join(', ')}`)
    else
      read.expect(isUrl(issuer, ['http:', 'https:']), 'AUTH_ISSUER', 'an http(s) address with AUTH_CLIENT_ID')
  }
  const scope = read.text('AUTH_SCOPE')
  const [roleClaim, roleMap] = [read.text('AUTH_ROLE_CLAIM'), readRoleMap(read)]
  if (given.length === 0 && (roleMap || roleClaim !== 'role'))
    read.faults.push(`AUTH_ROLE_CLAIM and AUTH_ROLE_MAP need ${OUTSIDE_ISSUER.join(', ')}`)
  const audience = read.text('AUTH_AUDIENCE')
  return { issuer, audience, jwksUrl, issuers, roleClaim, roleMap, registeredOnly, clientId, scope }
}

/** The addresses by which clients know the token endpoint. */
export const readTokenEndpoints = (read: SettingsReader): string[] => {
  const urls = read.list('TOKEN_ENDPOINT')
  read.expect(
    urls.every(url => isUrl(url, ['http:', 'https:'])),
    'TOKEN_ENDPOINT',
    'an http(s) address such as https://api.example.com/oauth2/accesstoken, or several comma-separated',
  )
  return urls
}

/** The address of the read replica, which a process that only reads has none beside its own. */
const readReplica = (read: SettingsReader, databaseUrl: string | undefined, readOnly: boolean) => {
  const url = read.optional('DATABASE_REPLICA_URL')
  if (url === undefined) return undefined
  const fault = addressFault(url, true)
  if (fault) read.faults.push(`DATABASE_REPLICA_URL must be ${fault}`)
  if (!databaseUrl) read.faults.push('DATABASE_URL must be set when DATABASE_REPLICA_URL is set')
  if (readOnly)
    read.faults.push(
      'DATABASE_REPLICA_URL must be unset with READ_ONLY=1: DATABASE_URL names the replica itself',
    )
  return url
}

/** The place of the data, and the key to its secrets. */
export const readDatabase = (read: SettingsReader) => {
  const databaseUrl = read.optional('DATABASE_URL')
  const secretsKey = read.optional('SECRETS_KEY')
  const readOnly = read.flag('READ_ONLY')
  const fault = databaseUrl && addressFault(databaseUrl, readOnly)
  if (fault) read.faults.push(`DATABASE_URL must be ${fault}`)
  const directUrl = read.optional('DATABASE_DIRECT_URL')
  const directFault = directUrl && addressFault(directUrl, readOnly)
  if (directFault) read.faults.push(`DATABASE_DIRECT_URL must be ${directFault}`)
  if (directUrl && !databaseUrl) read.faults.push('DATABASE_URL must be set when DATABASE_DIRECT_URL is set')
  const databaseReplicaUrl = readReplica(read, databaseUrl, readOnly)
  // A file that cannot be read is a fault by itself.
  if (databaseUrl && !secretsKey && !read.env['SECRETS_KEY_FILE']) {
    read.faults.push('SECRETS_KEY must be set with DATABASE_URL (make one with: openssl rand -base64 32)')
  }
  const bytes = secretsKey === undefined ? 32 : Buffer.from(secretsKey, 'base64').length
  if (bytes !== 32) read.faults.push(`SECRETS_KEY must be 32 bytes in base64, not ${bytes} bytes`)
  const secretsKeysAlso = read.list('SECRETS_KEY_ALSO')
  if (secretsKeysAlso.some(text => Buffer.from(text, 'base64').length !== 32))
    read.faults.push('SECRETS_KEY_ALSO must be keys of 32 bytes in base64, comma-separated')
  const databasePoolSize = read.integer('DATABASE_POOL_SIZE')
  return {
    databaseUrl,
    databaseDirectUrl: directUrl ?? databaseUrl,
    databaseReplicaUrl,
    databasePoolSize,
    readOnly,
    secretsKey,
    secretsKeysAlso,
    dataDir: read.text('DATA_DIR'),
  }
}

/** The operator's calendar and national numbers. */
export const readOperator = (read: SettingsReader) => {
  const timezone = read.text('OPERATOR_TIMEZONE')
  const countryCode = read.text('OPERATOR_COUNTRY_CODE')
  read.expect(isZone(timezone), 'OPERATOR_TIMEZONE', 'an IANA time zone such as Asia/Muscat')
  read.expect(/^[1-9]\d{0,2}$/.test(countryCode), 'OPERATOR_COUNTRY_CODE', 'one to three digits such as 968')
  return { timezone, countryCode }
}

/** The hosts to which webhooks may go although private or http. */
export const readAllowed = (read: SettingsReader): string[] => {
  const entries = read.list('WEBHOOK_ALLOW')
  read.expect(
    entries.every(isAllowEntry),
    'WEBHOOK_ALLOW',
    'hosts, addresses or ranges, each with or without a port, comma-separated, such as 127.0.0.1:8080,hooks.test,10.0.0.0/8',
  )
  return entries
}

/** Whether only this machine reaches it. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host)

/** The address to listen on, and the demo: its clients' secrets are public, so that it runs on loopback alone. */
export const readPlace = (read: SettingsReader, { databaseUrl }: { databaseUrl: string | undefined }) => {
  const host = read.text('HOST')
  const demo = read.flag('DEMO', databaseUrl === undefined && isLoopback(host))
  if (demo && !isLoopback(host))
    read.faults.push(
      `DEMO must be 0 when HOST is not loopback (${host}): the demo clients' secrets are public`,
    )
  return { host, demo }
}

/** Most processes at one address. */
const MAX_WORKERS = 64

/** Processes that serve at one address. */
export const readWorkers = (
  read: SettingsReader,
  { databaseUrl }: { databaseUrl: string | undefined },
): number => {
  const text = read.text('WORKERS')
  const count = text === 'auto' ? Math.min(availableParallelism(), MAX_WORKERS) : Number(text)
  const holds = Number.isInteger(count) && count >= 1 && count <= MAX_WORKERS
  read.expect(holds, 'WORKERS', `auto, or a whole number from 1 to ${MAX_WORKERS}`)
  if (holds && text !== '1' && databaseUrl === undefined)
    read.faults.push(
      'WORKERS must be 1 without DATABASE_URL: the embedded database serves one process at a time',
    )
  return holds ? count : 1
}

/** Operations that clients may name by their ids, and whether no others are executed. */
export const readTrusted = (read: SettingsReader) => {
  const path = read.optional('TRUSTED_DOCUMENTS')
  const only = read.flag('TRUSTED_ONLY')
  if (only && !path) read.faults.push('TRUSTED_DOCUMENTS must be set when TRUSTED_ONLY is 1')
  const { documents, faults } = path ? readTrustedDocuments(path) : { documents: [], faults: [] }
  read.faults.push(...faults)
  return { documents, only }
}
