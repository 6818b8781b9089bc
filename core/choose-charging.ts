/**
 * Chooses what stands behind the port to the charging system, service by service: the embedded ledger unless settings
 * say otherwise.
 */

import { HttpCharging } from '#connectors/http/connector.ts'
import { createSmppConnector } from '#connectors/smpp/connector.ts'
import type { ChargingSystem } from './charging/charging.ts'
import { byService, type Charging } from './charging/choice.ts'
import { createLedger } from './charging/ledger.ts'
import type { ChargingSettings } from './config/charging.ts'
import type { App } from './context/app.ts'

const LEDGER = createLedger()

/** What of the process systems may need. */
export type ChargingParts = Pick<App, 'config' | 'log' | 'db' | 'metrics' | 'watchdog'>

/** Services at the same address have one system: when it is away, it is so for all of them. */
const connectorsOf = (settings: ChargingSettings) => {
  const known = new Map<string, HttpCharging>()
  return (url: string): HttpCharging => {
    const connector = known.get(url) ?? new HttpCharging({ ...settings, url })
    known.set(url, connector)
    return connector
  }
}

/** What the settings of charging say, but for messages, which are no charge. */
const byUrls = (settings: ChargingSettings, messages: ChargingSystem): Charging => {
  const connectorAt = connectorsOf(settings)
  const systems = new Map([['messaging', messages]])
  for (const [service, url] of settings.urls) systems.set(service, connectorAt(url))
  return byService(systems, settings.url === undefined ? LEDGER : connectorAt(settings.url))
}

/** Messages go to message centres, where there are some. */
const systemOfMessages = ({ config, log, db, metrics, watchdog }: ChargingParts): ChargingSystem => {
  const { smpp: settings, countryCode } = config
  if (!settings) return LEDGER
  log.info({ binds: settings.binds.map(({ name }) => name) }, 'messages are sent over SMPP')
  return createSmppConnector({ settings, countryCode, db, log, registry: metrics.registry, watchdog })
}

const hostOf = (url: string | undefined) => (url === undefined ? 'embedded ledger' : new URL(url).host)

/** The choice of this process. */
export function chooseCharging(parts: ChargingParts): Charging {
  const { charging } = parts.config
  const messages = systemOfMessages(parts)
  if (!charging) return byService(new Map([['messaging', messages]]), LEDGER)
  const named = Object.fromEntries([...charging.urls].map(([service, url]) => [service, hostOf(url)]))
  parts.log.info({ ...named, others: hostOf(charging.url) }, 'charged by an outside system')
  return byUrls(charging, messages)
}
