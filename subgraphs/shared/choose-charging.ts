/**
 * Chooses what stands behind the port to the charging system, service by service: the embedded ledger unless settings
 * say otherwise.
 */

import type { ChargingSystem } from './charging/charging.ts'
import { byService, type Charging } from './charging/choice.ts'
import { HttpCharging } from './charging/http/connector.ts'
import { createLedger } from './charging/ledger.ts'
import type { ChargingSettings } from './config/charging.ts'
import type { Config } from './config/config.ts'
import type { Logger } from './observability/log.ts'

const LEDGER = createLedger()

/** Services at the same address have one system: when it is away, it is so for all of them. */
const connectorsOf = (settings: ChargingSettings) => {
  const known = new Map<string, HttpCharging>()
  return (url: string): HttpCharging => {
    const connector = known.get(url) ?? new HttpCharging({ ...settings, url })
    known.set(url, connector)
    return connector
  }
}

/** What the settings of charging say; messages are no charge. */
const byUrls = (settings: ChargingSettings): Charging => {
  const connectorAt = connectorsOf(settings)
  const systems = new Map<string, ChargingSystem>([['messaging', LEDGER]])
  for (const [service, url] of settings.urls) systems.set(service, connectorAt(url))
  return byService(systems, settings.url === undefined ? LEDGER : connectorAt(settings.url))
}

const hostOf = (url: string | undefined) => (url === undefined ? 'embedded ledger' : new URL(url).host)

/** The choice of this process. */
export function chooseCharging({ charging }: Config, log: Logger): Charging {
  if (!charging) return byService(new Map(), LEDGER)
  const named = Object.fromEntries([...charging.urls].map(([service, url]) => [service, hostOf(url)]))
  log.info({ ...named, others: hostOf(charging.url) }, 'charged by an outside system')
  return byUrls(charging)
}
