/** What every part of a running process shares. */
import type { Access } from '../access/access.ts'
import type { ClientUsage } from '../access/client-usage.ts'
import type { CommitNotifier } from '../async/commit-notifier.ts'
import type { Watchdog } from '../async/watchdog.ts'
import type { Charging } from '../charging/charging.ts'
import type { Config } from '../config/config.ts'
import type { Database, PrismaClient, Reader, Writer } from '../data/db.ts'
import type { Outbound } from '../data/outbound.ts'
import type { Directory } from '../directory/directory.ts'
import type { OwnPorts } from '../egress/addresses.ts'
import type { EventFeed } from '../events/feed.ts'
import type { Logger } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Engine } from './engine.ts'

export interface App {
  readonly config: Config
  /** Compiles operations; undefined where graphql-js and Apollo Gateway execute all of them. */
  readonly engine?: Engine
  readonly log: Logger
  readonly database: Database
  readonly db: PrismaClient
  /** Reads what is read most (`data/reader.ts`). */
  readonly reader: Reader
  /** Writes what is written most (`data/writer.ts`). */
  readonly writer: Writer
  readonly access: Access
  /** What each client uses of this process, held against its quotas. */
  readonly usage: ClientUsage
  readonly directory: Directory
  /** What carries out what is posted, service by service. */
  readonly charging: Charging
  /** Whether anything may leave this server. */
  readonly outbound: Outbound
  /** Where this process listens: no webhook goes there. */
  readonly ownPorts: OwnPorts
  /** Notified after each commit that posted something, by this process or another. */
  readonly posted: CommitNotifier
  /** Notified after each commit that brought events, by this process or another. */
  readonly eventsWritten: CommitNotifier
  /** The event log as it grows. */
  readonly feed: EventFeed
  /** Watches over all background work of this process. */
  readonly watchdog: Watchdog
  /** What this process counts. */
  readonly metrics: Metrics
}
