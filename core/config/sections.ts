/** Settings that belong together, or are written in a form of their own, with the rules between them. */
import { isAllowEntry } from '../egress/allow-list.ts'
import type { SettingsReader } from './settings.ts'
import { readTrustedDocuments } from './trusted-documents.ts'

const isZone = (zone: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}

const isUrl = (text: string, protocols: string[]) =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol)

/** An outside identity provider is named by all of them. */
const OUTSIDE_ISSUER = ['AUTH_ISSUER', 'AUTH_AUDIENCE', 'AUTH_JWKS_URL'] as const

/** The issuer of clients' tokens: this installation, or an outside identity provider. */
export const readAuth = (read: SettingsReader) => {
  const jwksUrl = read.optional('AUTH_JWKS_URL')
  read.expect(
    jwksUrl === undefined || isUrl(jwksUrl, ['http:', 'https:']),
    'AUTH_JWKS_URL',
    'an http(s) address',
  )
  const given = OUTSIDE_ISSUER.filter(name => read.optional(name))
  const missing = OUTSIDE_ISSUER.filter(name => !given.includes(name))
  if (given.length > 0)
    read.faults.push(...missing.map(name => `${name} must be set when ${given.join(' and ')} is set`))
  const issuer = read.text('AUTH_ISSUER')
  const unregistered = read.text('UNREGISTERED_CLIENTS')
  const registeredOnly = unregistered === 'refuse'
  return { issuer, audience: read.text('AUTH_AUDIENCE'), jwksUrl, registeredOnly }
}

/** The place of the data, and the key to its secrets. */
export const readDatabase = (read: SettingsReader) => {
  const databaseUrl = read.optional('DATABASE_URL')
  const secretsKey = read.optional('SECRETS_KEY')
  const isPostgres = databaseUrl === undefined || isUrl(databaseUrl, ['postgres:', 'postgresql:'])
  read.expect(isPostgres, 'DATABASE_URL', 'a postgresql:// address (unset for the embedded database)')
  if (databaseUrl && !secretsKey) {
    read.faults.push('SECRETS_KEY must be set with DATABASE_URL (make one with: openssl rand -base64 32)')
  }
  const bytes = secretsKey === undefined ? 32 : Buffer.from(secretsKey, 'base64').length
  if (bytes !== 32) read.faults.push(`SECRETS_KEY must be 32 bytes in base64, not ${bytes} bytes`)
  const databasePoolSize = read.integer('DATABASE_POOL_SIZE')
  return { databaseUrl, databasePoolSize, secretsKey, dataDir: read.text('DATA_DIR') }
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

/** Operations that clients may name by their ids, and whether no others are executed. */
export const readTrusted = (read: SettingsReader) => {
  const path = read.optional('TRUSTED_DOCUMENTS')
  const only = read.flag('TRUSTED_ONLY')
  if (only && !path) read.faults.push('TRUSTED_DOCUMENTS must be set when TRUSTED_ONLY is 1')
  const { documents, faults } = path ? readTrustedDocuments(path) : { documents: [], faults: [] }
  read.faults.push(...faults)
  return { documents, only }
}
