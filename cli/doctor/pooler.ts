/** Checks what stands between the program and PostgreSQL: a pooler, and the address that goes around it. */
import type { Config } from '#core/config/config.ts'
import { type AddressLook, lookAtAddress } from '#core/data/address-looks.ts'
import { errorText } from '../output.ts'
import { excerptOf, type Finding, found } from './finding.ts'

const POOLER = 'database pooler'

const look = async (url: string): Promise<AddressLook | string> =>
  lookAtAddress(url).catch(error => excerptOf(errorText(error)))

const DIRECT_NEEDED =
  'the locks of processes and migrations are refused, and events of other processes come within a second instead of at once, since LISTEN needs a session of its own: set DATABASE_DIRECT_URL to the address of PostgreSQL itself'

/** Finds what does not fit of a pooler and the address around it; the worst first. */
const faultOf = (pooled: AddressLook, direct: AddressLook, config: Config): Finding | undefined => {
  if (direct.isPooled && config.databaseDirectUrl === config.databaseUrl)
    return found.degraded(POOLER, `DATABASE_URL leads through a pooler: ${DIRECT_NEEDED}.`)
  if (direct.isPooled)
    return found.degraded(POOLER, `DATABASE_DIRECT_URL leads through a pooler too: ${DIRECT_NEEDED}.`)
  if (pooled.place !== direct.place)
    return found.broken(
      POOLER,
      'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases: name the same, since what one is told of is in the other.',
    )
  if (pooled.timezone !== 'UTC')
    return found.broken(
      POOLER,
      `Sessions of the pooler are in time zone ${pooled.timezone}, so that times are read wrong: let it pass TimeZone on, or set UTC for the database (ALTER DATABASE … SET TimeZone = 'UTC').`,
    )
  if (config.readOnly && !pooled.isReadOnly)
    return found.broken(
      POOLER,
      "READ_ONLY=1 is not passed on by the pooler: name PostgreSQL itself in DATABASE_URL, or set default_transaction_read_only = on for the pooler's sessions.",
    )
  if (pooled.statementMs === 0)
    return found.degraded(
      POOLER,
      "Reads over the pooler have no statement_timeout, so that one that is given up goes on at PostgreSQL: set it by connect_query in the pooler's settings, or for the user (ALTER ROLE … SET statement_timeout).",
    )
  return undefined
}

/** Says what does not fit where a pooler stands between; nothing where none does. */
export async function checkPooler(config: Config): Promise<readonly Finding[]> {
  const { databaseUrl, databaseDirectUrl } = config
  if (databaseUrl === undefined) return []
  const own = await look(databaseUrl)
  const isSame = databaseDirectUrl === databaseUrl
  // Where nothing answers at the one address, the check of the database says it.
  if (typeof own === 'string')
    return isSame
      ? []
      : [found.broken(POOLER, `DATABASE_URL cannot be used: ${own}; see whether the pooler runs.`)]
  if (!own.isPooled && isSame) return []
  const direct = isSame ? own : await look(databaseDirectUrl!)
  if (typeof direct === 'string')
    return [found.broken(POOLER, `DATABASE_DIRECT_URL cannot be used: ${direct}; see whether it is right.`)]
  const text = own.isPooled
    ? 'DATABASE_URL leads through a pooler, and DATABASE_DIRECT_URL around it.'
    : 'DATABASE_URL and DATABASE_DIRECT_URL both lead to PostgreSQL without a pooler.'
  return [faultOf(own, direct, config) ?? found.well(POOLER, text)]
}
