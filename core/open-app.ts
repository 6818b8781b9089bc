/** The shared parts of a process, opened from its configuration and closed again. */
import { type Access, createAccess, hintAtFirstClient } from './access/access.ts'
import { createClientUsage } from './access/client-usage.ts'
import { unreadableClients } from './access/key-check.ts'
import { openAnswers, recordStatements } from './answers/open.ts'
import { createWatchdog, type Watchdog } from './async/watchdog.ts'
import { createCommitNotifier } from './async/worker.ts'
import { AccessRecorder } from './audit/access-recorder.ts'
import { RefusedSignIns } from './audit/refused-sign-ins.ts'
import type { Config } from './config/config.ts'
import { chooseCharging } from './connectors.ts'
import type { App } from './context/app.ts'
import { type Database, type Db, openDatabase, requireSchema } from './data/db.ts'
import { ensureSequence } from './data/gapless-sequence.ts'
import { logOutages } from './data/outage-log.ts'
import { openOutbound } from './data/outbound.ts'
import { createDatabaseProbe } from './data/probe.ts'
import { createDirectory } from './directory/directory.ts'
import { createOwnPorts, ownAddressCheck } from './egress/addresses.ts'
import { loadEngine } from './engine.ts'
import { EVENT_SEQUENCE, WebhookSenders } from './events/append.ts'
import { createFeed, watchEventLag } from './events/feed.ts'
import { createAccessLog } from './observability/access-log.ts'
import type { Logger } from './observability/log.ts'
import { createMetrics } from './observability/metrics.ts'
import type { DatabaseSource } from './observability/process-metrics.ts'
import { createRequests } from './observability/request-facts.ts'
import { endRequestSpan } from './observability/request-spans.ts'
import { tracing } from './observability/tracing.ts'
import { createSchemaUseRecorder } from './schema-use/recorder.ts'
import { countUnreadableTokens } from './webhooks/deliveries.ts'

const MAX_NAMED = 20

/** Warns once at start of rows that the encryption key does not read, which would otherwise show at the first webhook. */
export async function warnOfUnreadable(
  db: Db,
  { cipher }: Pick<Access, 'cipher'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const clients = await unreadableClients(db, cipher)
  const callbackTokens = await countUnreadableTokens(db, cipher)
  if (clients.length === 0 && callbackTokens === 0) return
  log.warn(
    { clients: clients.slice(0, MAX_NAMED), clientCount: clients.length, callbackTokens },
    'encrypted with another SECRETS_KEY: webhooks of these clients cannot be signed until `clients rotate-webhook-secret`, ' +
      'and pending deliveries with these callback tokens cannot be sent',
  )
}

/** Fills an empty database, where the configuration wants that. */
export type Seed = (database: Database, config: Config, log: Logger) => Promise<void>

const NOTHING: Seed = async () => undefined

/** The rows that the first process on a database leaves there for all. */
const prepare = async (database: Database, config: Config, log: Logger, seed: Seed) => {
  await ensureSequence(database.db, EVENT_SEQUENCE)
  await seed(database, config, log)
}

const secondsOf = (ms: number) => Math.round(ms / 1_000)

/** Background work that stands still is told of when it is found, and when it goes on. */
const watchOver = (log: Logger): Watchdog =>
  createWatchdog({
    onLate: ({ name, ageMs }) =>
      log.error(
        { worker: name, seconds: secondsOf(ageMs) },
        'background work stands still; /health/ready says so until it goes on',
      ),
    onRecovered: (name, ageMs) =>
      log.info({ worker: name, seconds: secondsOf(ageMs) }, 'background work goes on'),
  })

/** The database, and the process's log, which tells of its outages in one line each. */
const openTelling = async (config: Config, processLog: Logger, open: typeof openDatabase) => {
  const database = await open(config, processLog)
  const { log, since, stop } = logOutages(createDatabaseProbe({ config, ...database }, 0), processLog)
  const close = () => {
    stop()
    return database.close()
  }
  return { database: { ...database, close }, log, outageSince: since }
}

/** The database as metrics see it. */
const databaseSourceOf = ({ db, pool, replica }: Database): DatabaseSource => ({
  ask: () => db.$queryRaw`SELECT 1 AS one`,
  ...(pool && { pool }),
  ...(replica && { replica }),
})

/**
 * Opens database and access; `app.database.close()` gives them back. A replica is neither written to nor listened on:
 * there, what others commit is found by looking many times a second while somebody follows.
 * @param seed what an empty database is filled with, which only entry points know.
 * @param open opens the database of the configuration.
 */
export async function openApp(
  config: Config,
  processLog: Logger,
  seed: Seed = NOTHING,
  open: typeof openDatabase = openDatabase,
): Promise<App> {
  await using opened = new AsyncDisposableStack()
  const { database, log, outageSince } = await openTelling(config, processLog, open)
  opened.defer(() => database.close())
  await requireSchema(database, config, log)
  const { db } = database
  if (!config.readOnly) await prepare(database, config, log, seed)
  const [posted, eventsWritten] = [createCommitNotifier(), createCommitNotifier()]
  const watchdog = watchOver(log)
  const onSlow = () => metrics.clients.slowReaders.inc()
  const isNotified = database.embedded || !config.readOnly
  const feed = createFeed({ db, log, config, watchdog, onSlow, isNotified })
  eventsWritten.listen(feed.wake)
  const outbound = await openOutbound(database, config, log)
  const metrics = createMetrics({ feed, outbound, watchdog, database: databaseSourceOf(database) })
  watchEventLag(metrics.lags, db, feed)
  const refusals = new RefusedSignIns({ config, db, log, watchdog })
  const ownPorts = createOwnPorts()
  const isOwn = ownAddressCheck(ownPorts.all)
  const access = await createAccess({ config, db, log, metrics: metrics.clients, refusals, isOwn })
  await warnOfUnreadable(db, access, log)
  await hintAtFirstClient(db, config, log)
  const requests = createRequests(error => log.error({ err: error }, 'a request could not be recorded'))
  requests.onEnd(createAccessLog(log))
  requests.onEnd(metrics.requests.count)
  if (tracing) requests.onEnd(endRequestSpan)
  const stored = openAnswers({ config, database, log, metrics })
  const records = recordStatements(db, stored?.moments)
  const accessRecords = new AccessRecorder({ config, log, db: records, watchdog, metrics })
  const schemaUse = createSchemaUseRecorder({ config, log, db: records, watchdog, metrics })
  const charging = await chooseCharging({ config, log, db, metrics, watchdog })
  const engine = await loadEngine(config, log)
  // The last: what others commit is heard by the caller, from the first signal on.
  if (!config.readOnly) database.shareNotifiers({ posted, eventsWritten }, log, watchdog)
  opened.move()
  return {
    config,
    engine,
    ...stored,
    records,
    log,
    database,
    db,
    access,
    accessRecords,
    schemaUse,
    refusals,
    usage: createClientUsage(undefined, metrics.clients.throttled),
    directory: createDirectory(db),
    charging,
    outbound,
    ownPorts,
    posted,
    eventsWritten,
    webhookSenders: new WebhookSenders(),
    feed,
    watchdog,
    metrics,
    outageSince,
    requests,
  }
}
