/** What the files of this folder use of all that a process shares. */

import type { Access } from '../access/access.ts'
import type { Watchdog } from '../async/watchdog.ts'
import type { Config } from '../config/config.ts'
import type { PrismaClient, Writer } from '../data/db.ts'
import type { Outbound } from '../data/outbound.ts'
import type { OwnPorts } from '../egress/own-address.ts'
import type { Logger } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'

export interface WebhookParts {
  readonly config: Config
  readonly log: Logger
  readonly db: PrismaClient
  /** Takes what is due and notes how it ended; a statement by itself is committed by itself. */
  readonly writer: Writer
  readonly access: Access
  readonly metrics: Metrics
  readonly watchdog: Watchdog
  readonly ownPorts: OwnPorts
  /** Whether anything may be sent. */
  readonly outbound: Outbound
}
