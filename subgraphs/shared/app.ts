/** What every part of a running process shares. */
import type { Access } from './access/access.ts'
import type { ClientUsage } from './access/client-usage.ts'
import type { ChargingSystem } from './charging/charging.ts'
import type { Config } from './config.ts'
import type { Database, PrismaClient } from './data/db.ts'
import type { Signal } from './data/signal.ts'
import type { EventFeed } from './delivery/feed.ts'
import type { Directory } from './directory/directory.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'

export interface App {
  readonly config: Config
  readonly log: Logger
  readonly database: Database
  readonly db: PrismaClient
  readonly access: Access
  /** What each client uses of this process, held against its quotas. */
  readonly usage: ClientUsage
  readonly directory: Directory
  readonly charging: ChargingSystem
  /** Given after each commit that posted something, of this process or another. */
  readonly posted: Signal
  /** Given after each commit that brought events, of this process or another. */
  readonly eventsWritten: Signal
  /** The event log as it grows. */
  readonly feed: EventFeed
  /** What this process counts. */
  readonly metrics: Metrics
}
