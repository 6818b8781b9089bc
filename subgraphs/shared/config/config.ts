/** The settings: read once from the environment, all faults reported together, each with its name. */
import { type AllowList, isAllowEntry, readAllowList } from '../egress/allow-list.ts'
import { faultOfEntry, readSubgraphUrls, type SubgraphUrls } from './subgraph-urls.ts'
import { isTrustProxy, readTrustProxy, type TrustProxy } from './trust-proxy.ts'

/** Every setting the program knows; README, "Settings", says what each means. */
export interface Config {
  port: number
  host: string
  databaseUrl: string | undefined
  databasePoolSize: number
  dataDir: string
  demo: boolean
  readOnly: boolean
  timezone: string
  countryCode: string
  webhookAllow: AllowList
  subgraphUrls: SubgraphUrls
  requestTimeoutMs: number
  trustProxy: TrustProxy
  metricsToken: string | undefined
  maxInFlight: number
  maxStreams: number
  subscriptionBuffer: number
  eventRetentionDays: number
  supergraph: string | undefined
  supergraphPollSeconds: number
  tokenLifetimeSeconds: number
  auth: { issuer: string; audience: string; jwksUrl: string | undefined; registeredOnly: boolean }
  secretsKey: string | undefined
  /** What becomes of a free text that holds what looks like a card number. */
  cardTexts: 'keep' | 'refuse'
  logLevel: string
}

/** Thrown at start with every fault found, one per line. */
export class ConfigError extends Error {
  constructor(faults: string[]) {
    super(`The configuration has ${faults.length} fault(s):\n${faults.map(f => `  ${f}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

/** Libraries that would report home are told not to; they read the environment, so this is where it is said. */
export const forbidTelemetry = (): void => {
  process.env['APOLLO_TELEMETRY_DISABLED'] = '1'
}

type Env = Record<string, string | undefined>

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

const isZone = (zone: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}

const isUrl = (text: string, protocols: string[]) =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol)

/** Reads typed values and collects what is wrong with them. */
class Reader {
  readonly faults: string[] = []
  readonly env: Env

  constructor(env: Env) {
    this.env = env
  }

  text(name: string, fallback: string): string {
    return this.env[name]?.trim() || fallback
  }

  optional(name: string): string | undefined {
    return this.env[name]?.trim() || undefined
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const text = this.optional(name)
    if (text === undefined) return fallback
    const value = Number(text)
    this.expect(
      Number.isInteger(value) && value >= min && value <= max,
      name,
      `a whole number from ${min} to ${max}`,
    )
    return value
  }

  flag(name: string, fallback: boolean): boolean {
    const text = this.optional(name)
    this.expect(text === undefined || text === '0' || text === '1', name, '0 or 1')
    return text === undefined ? fallback : text === '1'
  }

  expect(holds: boolean, name: string, what: string): void {
    if (!holds) this.faults.push(`${name} must be ${what}, not ${JSON.stringify(this.env[name] ?? '')}`)
  }
}

const readAuth = (read: Reader): Config['auth'] => {
  const jwksUrl = read.optional('AUTH_JWKS_URL')
  read.expect(
    jwksUrl === undefined || isUrl(jwksUrl, ['http:', 'https:']),
    'AUTH_JWKS_URL',
    'an http(s) address',
  )
  read.expect(
    !jwksUrl || Boolean(read.optional('AUTH_ISSUER')),
    'AUTH_ISSUER',
    'set when AUTH_JWKS_URL is set',
  )
  read.expect(
    !jwksUrl || Boolean(read.optional('AUTH_AUDIENCE')),
    'AUTH_AUDIENCE',
    'set when AUTH_JWKS_URL is set',
  )
  const issuer = read.text('AUTH_ISSUER', 'partner-graph')
  const unregistered = read.text('UNREGISTERED_CLIENTS', 'limit')
  read.expect(['limit', 'refuse'].includes(unregistered), 'UNREGISTERED_CLIENTS', 'limit or refuse')
  const registeredOnly = unregistered === 'refuse'
  return { issuer, audience: read.text('AUTH_AUDIENCE', 'partner-graph'), jwksUrl, registeredOnly }
}

const readDatabase = (read: Reader) => {
  const databaseUrl = read.optional('DATABASE_URL')
  const secretsKey = read.optional('SECRETS_KEY')
  const isPostgres = databaseUrl === undefined || isUrl(databaseUrl, ['postgres:', 'postgresql:'])
  read.expect(isPostgres, 'DATABASE_URL', 'a postgresql:// address (unset for the embedded database)')
  if (databaseUrl && !secretsKey) {
    read.faults.push('SECRETS_KEY must be set with DATABASE_URL (make one with: openssl rand -base64 32)')
  }
  const bytes = secretsKey === undefined ? 32 : Buffer.from(secretsKey, 'base64').length
  if (bytes !== 32) read.faults.push(`SECRETS_KEY must be 32 bytes in base64, not ${bytes} bytes`)
  const databasePoolSize = read.integer('DATABASE_POOL_SIZE', 16, 2, 1_000)
  return { databaseUrl, databasePoolSize, secretsKey, dataDir: read.text('DATA_DIR', '.data') }
}

const readOperator = (read: Reader) => {
  const timezone = read.text('OPERATOR_TIMEZONE', 'Asia/Muscat')
  const countryCode = read.text('OPERATOR_COUNTRY_CODE', '968')
  read.expect(isZone(timezone), 'OPERATOR_TIMEZONE', 'an IANA time zone such as Asia/Muscat')
  read.expect(/^[1-9]\d{0,2}$/.test(countryCode), 'OPERATOR_COUNTRY_CODE', 'one to three digits such as 968')
  return { timezone, countryCode }
}

const list = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)

const readAllowed = (read: Reader) => {
  const entries = list(read.optional('WEBHOOK_ALLOW'))
  read.expect(
    entries.every(isAllowEntry),
    'WEBHOOK_ALLOW',
    'hosts, addresses or ranges, each with or without a port, comma-separated, such as 127.0.0.1:8080,hooks.test,10.0.0.0/8',
  )
  return readAllowList(entries)
}

/** Whether only this machine reaches it. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host)

/** The demo clients' secrets stand in the README: they are for a server that nobody else reaches. */
const readPlace = (read: Reader, { databaseUrl }: { databaseUrl: string | undefined }) => {
  const host = read.text('HOST', '127.0.0.1')
  const demo = read.flag('DEMO', databaseUrl === undefined && isLoopback(host))
  if (demo && !isLoopback(host))
    read.faults.push(
      `DEMO must be 0 when HOST is not loopback (${host}): the demo clients' secrets are public`,
    )
  return { host, demo }
}

/** The environment of a process that is started by this one: its own, with these settings changed. */
export const environmentWith = (changes: Env): Env => ({ ...process.env, ...changes })

const readProxies = (read: Reader): TrustProxy => {
  const text = read.optional('TRUST_PROXY')
  const holds = text === undefined || isTrustProxy(text)
  read.expect(
    holds,
    'TRUST_PROXY',
    'a number of proxies such as 1, or their addresses such as 10.0.0.0/8,::1',
  )
  return holds ? readTrustProxy(text) : false
}

const readUrls = (read: Reader): SubgraphUrls => {
  const entries = list(read.optional('SUBGRAPH_URLS'))
  const faults = entries.map(faultOfEntry).filter(fault => fault !== undefined)
  read.faults.push(...faults.map(fault => `SUBGRAPH_URLS must be name=url, comma-separated: ${fault}`))
  return faults.length > 0 ? new Map() : readSubgraphUrls(entries)
}

/**
 * Reads the configuration from the environment.
 * @param defaultPort where to listen when `PORT` is unset.
 * @throws ConfigError naming every setting that is wrong.
 */
export function readConfig(env: Env = process.env, defaultPort = 4000): Config {
  const read = new Reader(env)
  const database = readDatabase(read)
  const logLevel = read.text('LOG_LEVEL', 'info')
  read.expect(LOG_LEVELS.includes(logLevel), 'LOG_LEVEL', `one of ${LOG_LEVELS.join(', ')}`)
  const cardTexts = read.text('CARD_TEXTS', 'keep')
  read.expect(['keep', 'refuse'].includes(cardTexts), 'CARD_TEXTS', 'keep or refuse')
  const config: Config = {
    ...database,
    ...readOperator(read),
    port: read.integer('PORT', defaultPort, 0, 65535),
    ...readPlace(read, database),
    readOnly: read.flag('READ_ONLY', false),
    webhookAllow: readAllowed(read),
    subgraphUrls: readUrls(read),
    requestTimeoutMs: read.integer('REQUEST_TIMEOUT_MS', 10_000, 1, 600_000),
    trustProxy: readProxies(read),
    metricsToken: read.optional('METRICS_TOKEN'),
    maxInFlight: read.integer('MAX_IN_FLIGHT', 1_000, 1, 1_000_000),
    maxStreams: read.integer('MAX_STREAMS', 20_000, 1, 1_000_000),
    subscriptionBuffer: read.integer('SUBSCRIPTION_BUFFER', 1_000, 1, 100_000),
    supergraph: read.optional('SUPERGRAPH'),
    supergraphPollSeconds: read.integer('SUPERGRAPH_POLL_SECONDS', 10, 1, 86_400),
    eventRetentionDays: read.integer('EVENT_RETENTION_DAYS', 400, 1, 36_500),
    tokenLifetimeSeconds: read.integer('TOKEN_LIFETIME_SECONDS', 3_600, 1, 86_400),
    auth: readAuth(read),
    cardTexts: cardTexts as Config['cardTexts'],
    logLevel,
  }
  if (read.faults.length > 0) throw new ConfigError(read.faults)
  return config
}
