/** Checks the read replica: that it is one of this database, and tells how far it has come. */
import type { Config } from '#core/config/config.ts'
import { lookAtAddress } from '#core/data/address-looks.ts'
import { errorText } from '../output.ts'
import { excerptOf, type Finding, found } from './finding.ts'

const REPLICA = 'read replica'

/** Says what keeps the replica from being read; nothing where there is none. */
export async function checkReplica(config: Config): Promise<readonly Finding[]> {
  const { databaseDirectUrl, databaseReplicaUrl } = config
  if (databaseReplicaUrl === undefined) return []
  const replica = await lookAtAddress(databaseReplicaUrl).catch(error => excerptOf(errorText(error)))
  if (typeof replica === 'string')
    return [
      found.degraded(
        REPLICA,
        `DATABASE_REPLICA_URL cannot be used: ${replica}; the primary is read until it can.`,
      ),
    ]
  const primary = await lookAtAddress(databaseDirectUrl!).catch(() => undefined)
  if (primary && primary.place !== replica.place)
    return [
      found.broken(
        REPLICA,
        'DATABASE_REPLICA_URL leads to another database: name a streaming standby of that of DATABASE_URL.',
      ),
    ]
  if (!replica.isStandby)
    return [
      found.degraded(
        REPLICA,
        'DATABASE_REPLICA_URL leads to a primary, which is read no more than DATABASE_URL: name a standby.',
      ),
    ]
  if (!replica.isReceiving)
    return [
      found.degraded(
        REPLICA,
        'The read replica receives nothing from the primary, or does not tell: see pg_stat_wal_receiver there, and GRANT pg_monitor to the user of DATABASE_REPLICA_URL.',
      ),
    ]
  return [found.well(REPLICA, 'The read replica follows the primary, and tells how far it has come.')]
}
