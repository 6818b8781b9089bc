/** The settings: read once from the environment, all faults reported together, each with its name. */
import { SERVICES } from '#subgraphs/names.ts'
import { type AllowList, hostPortsOf, type Reserved, readAllowList } from '../egress/callback-policy.ts'
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
import { databasePlaces } from './database-address.ts'
import {
  type OutsideIssuer,
  readAllowed,
  readAuth,
  readDatabase,
  readOperator,
  readPlace,
  readTokenEndpoints,
  readTrusted,
  readWorkers,
} from './sections.ts'
import { type Env, EnvReader } from './setting.ts'
import { SETTINGS } from './settings.ts'
import { readSms, type SmppSettings } from './smpp.ts'
import { type CertificateSource, readCertificateSource, readTls, type TlsFiles } from './tls.ts'
import { readTraces, type TraceSettings } from './traces.ts'
import type { TrustedText } from './trusted-documents.ts'

/** The settings as the program uses them; `settings.ts` declares each. */
export interface Config {
  port: number
  host: string
  /** Processes that share the address. */
  workers: number
  databaseUrl: string | undefined
  /** The address without a pooler, for what is of a session: LISTEN, migrations, locks of processes. */
  databaseDirectUrl: string | undefined
  /** The address of a replica for reads; undefined where all are the primary's. */
  databaseReplicaUrl: string | undefined
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
  /** The most that an operation of a client may cost. */
  maxOperationCost: number
  /** Whether operations run as functions made of them once, rather than read anew each time they are executed. */
  compiled: boolean
  timezone: string
  countryCode: string
  webhookAllow: AllowList
  subgraphUrls: SubgraphUrls
  requestTimeoutMs: number
  trustProxy: TrustProxy
  /** The server's own certificate; undefined where it speaks plain HTTP. */
  tls: TlsFiles | undefined
  /** Where certificates of clients come from. */
  clientCertificates: CertificateSource
  metricsToken: string | undefined
  /** Connections that may wait until they are accepted. */
  listenBacklog: number
  maxInFlight: number
  maxStreams: number
  subscriptionBuffer: number
  eventRetentionDays: number
  requestLogDays: number
  /** Memory for answers that are given again, in MiB; 0 keeps none. */
  answersMib: number
  /** Days that uses of the graph's schema are kept. */
  schemaUseDays: number
  /** Days that access records are kept. */
  accessLogDays: number
  supergraph: string | undefined
  supergraphPollSeconds: number
  /** Operations that clients may name by their ids, and whether no others are executed. */
  trusted: { documents: readonly TrustedText[]; only: boolean }
  /** Whether agents may call tools at `/mcp`, and the mutations that they may call, by the names of operations. */
  mcp: { enabled: boolean; mutations: readonly string[] }
  tokenLifetimeSeconds: number
  /** Addresses of the token endpoint as clients know it. */
  tokenEndpoints: readonly string[]
  auth: {
    issuer: string
    audience: string
    jwksUrl: string | undefined
    /** All outside issuers with the addresses of their keys, the first as above. */
    issuers: readonly OutsideIssuer[]
    /** Claim of an outside token that names the role, a path with dots. */
    roleClaim: string
    /** Roles by the words of the outside provider; undefined where they are its words. */
    roleMap: ReadonlyMap<string, string> | undefined
    registeredOnly: boolean
    /** The client of the pages at an outside provider, by which people sign in, and the scopes that it asks for. */
    clientId: string | undefined
    scope: string
  }
  secretsKey: string | undefined
  /** Keys that only decrypt, in base64. */
  secretsKeysAlso: readonly string[]
  /** Whether a free text is kept or refused that looks as if it held a card number. */
  cardTexts: 'keep' | 'refuse'
  /** The charging system outside of the database, if any. */
  charging: ChargingSettings | undefined
  /** The message centres that send SMS; undefined where the ledger stands in for them. */
  smpp: SmppSettings | undefined
  /** Where and how traces are sent; undefined where there are none. */
  traces: TraceSettings | undefined
  logLevel: string
  /** Whether log lines have phone and account numbers whole. */
  logNumbers: boolean
}

/** Thrown at start with every fault found, one per line. */
export class ConfigError extends SetupError {
  constructor(faults: string[]) {
    super(`The configuration has ${faults.length} fault(s):\n${faults.map(f => `  ${f}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

/** Forbids libraries to send telemetry: they read the environment, so it is set there. */
export const forbidTelemetry = (): void => {
  process.env['APOLLO_TELEMETRY_DISABLED'] = '1'
}

/** Makes the environment of a child process: this one's, with these settings changed. */
export const environmentWith = (changes: Env): Env => ({ ...process.env, ...changes })

/** Environment variable with a worker's number, from 1 on; one that takes another's place has its number. */
export const WORKER_NUMBER = 'WORKER_NUMBER'

/** Gives the number of this worker among those of `WORKERS`. */
export const workerNumber = (): string => process.env[WORKER_NUMBER] ?? '1'

const GATEWAY_PORT = 4000

/** The ports and addresses of the installation's services and of the systems behind them, as far as settings name them. */
const reservedOf = ({
  port,
  databaseUrl,
  databaseDirectUrl,
  databaseReplicaUrl,
  subgraphUrls,
  supergraph,
  auth,
  charging,
  smpp,
}: Omit<Config, 'webhookAllow'>): Reserved => {
  const chargingUrls = charging ? [charging.url, ...charging.urls.values()] : []
  const urls = [
    supergraph,
    ...auth.issuers.map(({ jwksUrl }) => jwksUrl),
    ...subgraphUrls.values(),
    ...chargingUrls,
  ]
  return {
    ports: [GATEWAY_PORT, port, ...SERVICES.map(service => service.port)],
    places: [
      ...[databaseUrl, databaseDirectUrl, databaseReplicaUrl].flatMap(databasePlaces),
      ...urls.flatMap(hostPortsOf),
      ...(smpp?.binds ?? []),
    ],
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
    workers: readWorkers(read, database),
    corsOrigins: readOrigins(read, place.demo),
    pages: read.flag('PAGES'),
    outbound: read.flag('OUTBOUND'),
    introspection: read.flag('INTROSPECTION') && !trusted.only,
    maxOperationCost: read.integer('MAX_OPERATION_COST'),
    compiled: read.flag('COMPILED'),
    subgraphUrls: readSubgraphUrls(read),
    requestTimeoutMs: read.integer('REQUEST_TIMEOUT_MS'),
    trustProxy: readProxies(read),
    tls: readTls(read),
    clientCertificates: readCertificateSource(read),
    metricsToken: read.optional('METRICS_TOKEN'),
    listenBacklog: read.integer('LISTEN_BACKLOG'),
    maxInFlight: read.integer('MAX_IN_FLIGHT'),
    maxStreams: read.integer('MAX_STREAMS'),
    subscriptionBuffer: read.integer('SUBSCRIPTION_BUFFER'),
    supergraph: read.optional('SUPERGRAPH'),
    supergraphPollSeconds: read.integer('SUPERGRAPH_POLL_SECONDS'),
    trusted,
    mcp: { enabled: read.flag('MCP'), mutations: read.list('MCP_MUTATIONS') },
    eventRetentionDays: read.integer('EVENT_RETENTION_DAYS'),
    schemaUseDays: read.integer('SCHEMA_USE_DAYS'),
    requestLogDays: read.integer('REQUEST_LOG_DAYS'),
    answersMib: read.integer('STORED_ANSWERS_MIB'),
    accessLogDays: read.integer('ACCESS_LOG_DAYS'),
    tokenLifetimeSeconds: read.integer('TOKEN_LIFETIME_SECONDS'),
    tokenEndpoints: readTokenEndpoints(read),
    auth: readAuth(read),
    charging: readCharging(read),
    cardTexts: read.text('CARD_TEXTS') as Config['cardTexts'],
    smpp: readSms(read),
    traces: readTraces(read),
    logLevel: read.text('LOG_LEVEL'),
    logNumbers: read.flag('LOG_NUMBERS'),
  }
  if (read.faults.length > 0) throw new ConfigError(read.faults)
  return { ...config, webhookAllow: readAllowList(allowed, reservedOf(config)) }
}
