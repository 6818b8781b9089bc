/** Checks the servers of an address with several hosts, each by what it serves as. */
import type { Config } from '#core/config/config.ts'
import { type DatabaseHost, databaseAddress, hostText } from '#core/config/database-address.ts'
import { roleOfHost } from '#core/data/postgres.ts'
import { type Finding, found } from './finding.ts'

const HOSTS = 'database hosts'

interface Look {
  readonly text: string
  readonly isAnswering: boolean
  readonly writes: boolean
}

const lookAt = async (url: string, host: DatabaseHost): Promise<Look> => {
  const role = await roleOfHost(url, host).catch(() => undefined)
  if (!role) return { text: `${hostText(host)} does not answer`, isAnswering: false, writes: false }
  const writes = !role.isStandby && !role.isReadOnly
  const primary = writes ? 'is the primary and takes writes' : 'is the primary and takes no writes'
  return { text: `${hostText(host)} ${role.isStandby ? 'is a standby' : primary}`, isAnswering: true, writes }
}

/** Says that the only host takes no writes, which a session that only reads does not notice; nothing where it takes them. */
const checkOnlyHost = async (
  url: string,
  host: DatabaseHost,
  readOnly: boolean,
): Promise<readonly Finding[]> => {
  const { text, isAnswering, writes } = await lookAt(url, host)
  // Of one that does not answer the check of the database tells.
  if (readOnly || writes || !isAnswering) return []
  return [
    found.broken(
      HOSTS,
      `${text}: name the primary in DATABASE_URL, or see default_transaction_read_only; nothing can be posted until it takes writes.`,
    ),
  ]
}

/** Says of each host what it serves as; of one alone only where it takes no writes. */
export async function checkHosts({
  databaseUrl,
  databaseDirectUrl,
  readOnly,
}: Config): Promise<readonly Finding[]> {
  if (databaseUrl === undefined) return []
  // Around a pooler, whose sessions may have been told of the role long ago.
  const url = databaseAddress(databaseUrl).hosts.length > 1 ? databaseUrl : databaseDirectUrl!
  const { hosts } = databaseAddress(url)
  if (hosts.length === 1) return checkOnlyHost(url, hosts[0]!, readOnly)
  const looks = await Promise.all(hosts.map(host => lookAt(url, host)))
  const text = looks.map(look => look.text).join('; ')
  const writing = looks.filter(({ writes }) => writes).length
  if (writing > 1)
    return [
      found.broken(HOSTS, `${text}: one may take writes, so fence the others before money is taken twice.`),
    ]
  if (writing === 0) return [found.broken(HOSTS, `${text}: nothing can be posted until one is promoted.`)]
  if (looks.every(({ isAnswering }) => isAnswering)) return [found.well(HOSTS, `${text}.`)]
  return [found.degraded(HOSTS, `${text}: start it again, or take it out of DATABASE_URL.`)]
}
