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

/** Says of each host what it serves as; nothing where there is one. */
export async function checkHosts({ databaseUrl }: Config): Promise<readonly Finding[]> {
  const hosts = databaseUrl === undefined ? [] : databaseAddress(databaseUrl).hosts
  if (hosts.length < 2) return []
  const looks = await Promise.all(hosts.map(host => lookAt(databaseUrl!, host)))
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
