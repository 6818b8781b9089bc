/** Dependencies that parts of a running process share: the platform, and the domain objects that stand on it. */
import type { Access } from '../access/access.ts'
import type { ClientUsage } from '../access/client-usage.ts'
import type { AnswerStore } from '../answers/answer-store.ts'
import type { Watchdog } from '../async/watchdog.ts'
import type { CommitNotifier } from '../async/worker.ts'
import type { AccessRecorder } from '../audit/access-recorder.ts'
import type { RefusedSignIns } from '../audit/refused-sign-ins.ts'
import type { Charging } from '../charging/charging.ts'
import type { Config } from '../config/config.ts'
import type { Database, Db, Statements } from '../data/db.ts'
import type { Moments } from '../data/moments.ts'
import type { Outbound } from '../data/outbound.ts'
import type { Directory } from '../directory/directory.ts'
import type { OwnPorts } from '../egress/addresses.ts'
import type { WebhookSenders } from '../events/append.ts'
import type { EventFeed } from '../events/feed.ts'
import type { Logger } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Requests } from '../observability/request-facts.ts'
import type { SchemaUseRecorder } from '../schema-use/recorder.ts'
import type { Engine } from './engine.ts'

/** The ground of a process: settings, log, database, metrics. Most parts need nothing else. */
export interface Platform {
  readonly config: Config
  readonly log: Logger
  readonly database: Database
  readonly db: Db
  /** Writes records that no stored answer shows; by `db` where it is absent. */
  readonly records?: Pick<Statements, '$executeRaw'>
  /** Reports background work that stands still. */
  readonly watchdog: Watchdog
  readonly metrics: Metrics
  /** Time of the first failure of an outage of the database; undefined while it serves and takes writes. */
  outageSince(): Date | undefined
  /** Reports each request at its end, with its facts. */
  readonly requests: Requests
}

/** The platform with the domain objects of a process. */
export interface App extends Platform {
  /** Compiles operations; undefined where graphql-js and Apollo Gateway execute all of them. */
  readonly engine?: Engine
  /** Answers that are given again while they are true; undefined where none are kept. */
  readonly answers?: AnswerStore
  /** Tells for them what is committed. */
  readonly moments?: Moments
  readonly access: Access
  /** Counts refused secrets and tokens. */
  readonly refusals: RefusedSignIns
  /** Records who looked at whom. */
  readonly accessRecords: AccessRecorder
  /** Records what each client uses of the graph's schema. */
  readonly schemaUse: SchemaUseRecorder
  /** Counts each client's use of this process against its quotas. */
  readonly usage: ClientUsage
  readonly directory: Directory
  /** Charging systems by service. */
  readonly charging: Charging
  /** Says whether webhooks, orders and messages may leave this server. */
  readonly outbound: Outbound
  /** Ports of this process: no webhook is sent there. */
  readonly ownPorts: OwnPorts
  /** Notified after each commit that posted a transaction, in this process or another. */
  readonly posted: CommitNotifier
  /** Notified after each commit that appended events, in this process or another. */
  readonly eventsWritten: CommitNotifier
  /** Sends webhooks as soon as they are committed. */
  readonly webhookSenders: WebhookSenders
  /** Hands new events of the log to subscribers. */
  readonly feed: EventFeed
}
