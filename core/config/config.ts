/** The settings: read once from the environment, all faults reported together, each with its name. */
import { SERVICES } from '#subgraphs/names.ts'
import { type AllowList, hostPortsOf, type Reserved, readAllowList } from '../egress/allow-list.ts'
import { SetupError } from '../errors/catalogue.ts'
import {
  type CorsOrigins,
  readOrigins,
  readProxies,
  readSubgraphUrls,
  type SubgraphUrls,
  type TrustProxy,
} from './addresses.ts'
import { type ChargingSettings, readCharging } from './charging.ts'
import { readAllowed, readAuth, readDatabase, readOperator, readPlace, readTrusted } from './sections.ts'
import { type Env, EnvReader } from './setting.ts'
import { SETTINGS } from './settings.ts'
import { readSms, type SmppSettings } from './smpp.ts'
import type { TrustedText } from './trusted-documents.ts'

/** The settings as the program uses them; `settings.ts` declares each. */
export interface Config {
  port: number
  host: string
  databaseUrl: string | undefined
  databasePoolSize: number
  dataDir: string
  demo: boolean
  /** The origins from which browsers may call. */
  corsOrigins: CorsOrigins
  pages: boolean
  readOnly: boolean
  /** Whether webhooks, charging calls and SMS may leave the server. */
  outbound: boolean
  /** Whether clients may read the graph's schema, and error messages suggest names of it. */
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
  /** Connections that may wait until they are accepted. */
  listenBacklog: number
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
  /** Whether a free text is kept or refused that looks as if it held a card number. */
  cardTexts: 'keep' | 'refuse'
  /** The charging system outside of the database, if any. */
  charging: ChargingSettings | undefined
  /** The message centres that send SMS; undefined where the ledger stands in for them. */
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

/** Forbids libraries to report home; they read the environment, so it is said there. */
export const forbidTelemetry = (): void => {
  process.env['APOLLO_TELEMETRY_DISABLED'] = '1'
}

/** The environment of a process that is started by this one: its own, with these settings changed. */
export const environmentWith = (changes: Env): Env => ({ ...process.env, ...changes })

const GATEWAY_PORT = 4000

/** The ports and addresses of the installation's services and of the systems behind them, as far as settings name them. */
const reservedOf = ({
  port,
  databaseUrl,
  subgraphUrls,
  supergraph,
  auth,
  charging,
  smpp,
}: Omit<Config, 'webhookAllow'>): Reserved => {
  const chargingUrls = charging ? [charging.url, ...charging.urls.values()] : []
  const urls = [databaseUrl, supergraph, auth.jwksUrl, ...[...subgraphUrls.values()].flat(), ...chargingUrls]
  return {
    ports: [GATEWAY_PORT, port, ...SERVICES.map(service => service.port)],
    places: [...urls.flatMap(hostPortsOf), ...(smpp?.binds ?? [])],
  }
}

/**
 * Reads the configuration from the environment.
 * @param defaultPort where to listen when `PORT` is unset.
 * @throws ConfigError naming every setting that is wrong.
 */
export function readConfig(env: Env = process.env, defaultPort = GATEWAY_PORT): Config {
  const read = new EnvReader(env, SETTINGS)
  const database = readDatabase(read)
  const place = readPlace(read, database)
  const allowed = readAllowed(read)
  const trusted = readTrusted(read)
  const config: Omit<Config, 'webhookAllow'> = {
    ...database,
    ...readOperator(read),
    port: read.integer('PORT', defaultPort),
    ...place,
    corsOrigins: readOrigins(read, place.demo),
    pages: read.flag('PAGES'),
    readOnly: read.flag('READ_ONLY'),
    outbound: read.flag('OUTBOUND'),
    introspection: read.flag('INTROSPECTION') && !trusted.only,
    compiled: read.flag('COMPILED'),
    subgraphUrls: readSubgraphUrls(read),
    requestTimeoutMs: read.integer('REQUEST_TIMEOUT_MS'),
    trustProxy: readProxies(read),
    metricsToken: read.optional('METRICS_TOKEN'),
    listenBacklog: read.integer('LISTEN_BACKLOG'),
    maxInFlight: read.integer('MAX_IN_FLIGHT'),
    maxStreams: read.integer('MAX_STREAMS'),
    subscriptionBuffer: read.integer('SUBSCRIPTION_BUFFER'),
    supergraph: read.optional('SUPERGRAPH'),
    supergraphPollSeconds: read.integer('SUPERGRAPH_POLL_SECONDS'),
    trusted,
    eventRetentionDays: read.integer('EVENT_RETENTION_DAYS'),
    tokenLifetimeSeconds: read.integer('TOKEN_LIFETIME_SECONDS'),
    auth: readAuth(read),
    charging: readCharging(read),
    cardTexts: read.text('CARD_TEXTS') as Config['cardTexts'],
    smpp: readSms(read),
    logLevel: read.text('LOG_LEVEL'),
  }
  if (read.faults.length > 0) throw new ConfigError(read.faults)
  return { ...config, webhookAllow: readAllowList(allowed, reservedOf(config)) }
}
