/** The settings: read once from the environment, all faults reported together, each with its name. */
import type { AllowList } from '../egress/allow-list.ts'
import { SetupError } from '../errors/setup-error.ts'
import { type ChargingSettings, readCharging } from './charging.ts'
import type { CorsOrigins } from './cors-origins.ts'
import { type Env, Reader } from './reader.ts'
import {
  readAllowed,
  readAuth,
  readDatabase,
  readOperator,
  readOrigins,
  readPlace,
  readProxies,
  readTrusted,
  readUrls,
} from './sections.ts'
import { readSms, type SmppSettings } from './smpp.ts'
import type { SubgraphUrls } from './subgraph-urls.ts'
import type { TrustProxy } from './trust-proxy.ts'
import type { TrustedText } from './trusted-documents.ts'

/** Every setting the program knows; README, "Settings", says what each means. */
export interface Config {
  port: number
  host: string
  databaseUrl: string | undefined
  databasePoolSize: number
  dataDir: string
  demo: boolean
  /** From which origins browsers may call. */
  corsOrigins: CorsOrigins
  pages: boolean
  readOnly: boolean
  /** Whether clients may read the graph's schema, and are told what they may have meant by a name. */
  introspection: boolean
  /** Whether operations run as functions made of them once, rather than read anew each time they are executed. */
  compiled: boolean
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
  /** Operations that clients may name by their ids, and whether no others are executed. */
  trusted: { documents: readonly TrustedText[]; only: boolean }
  tokenLifetimeSeconds: number
  auth: { issuer: string; audience: string; jwksUrl: string | undefined; registeredOnly: boolean }
  secretsKey: string | undefined
  /** What becomes of a free text that holds what looks like a card number. */
  cardTexts: 'keep' | 'refuse'
  /** The charging system outside of the database, if any. */
  charging: ChargingSettings | undefined
  /** By which message centres SMS are sent; undefined where the ledger stands in for them. */
  smpp: SmppSettings | undefined
  logLevel: string
}

/** Thrown at start with every fault found, one per line. */
export class ConfigError extends SetupError {
  constructor(faults: string[]) {
    super(`The configuration has ${faults.length} fault(s):\n${faults.map(f => `  ${f}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

/** Libraries that would report home are told not to; they read the environment, so this is where it is said. */
export const forbidTelemetry = (): void => {
  process.env['APOLLO_TELEMETRY_DISABLED'] = '1'
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** The environment of a process that is started by this one: its own, with these settings changed. */
export const environmentWith = (changes: Env): Env => ({ ...process.env, ...changes })

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
  const place = readPlace(read, database)
  const config: Config = {
    ...database,
    ...readOperator(read),
    port: read.integer('PORT', defaultPort, 0, 65535),
    ...place,
    corsOrigins: readOrigins(read, place.demo),
    pages: read.flag('PAGES', true),
    readOnly: read.flag('READ_ONLY', false),
    introspection: read.flag('INTROSPECTION', true),
    compiled: read.flag('COMPILED', true),
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
    trusted: readTrusted(read),
    eventRetentionDays: read.integer('EVENT_RETENTION_DAYS', 400, 1, 36_500),
    tokenLifetimeSeconds: read.integer('TOKEN_LIFETIME_SECONDS', 3_600, 1, 86_400),
    auth: readAuth(read),
    charging: readCharging(read),
    cardTexts: cardTexts as Config['cardTexts'],
    smpp: readSms(read),
    logLevel,
  }
  if (read.faults.length > 0) throw new ConfigError(read.faults)
  return config
}
