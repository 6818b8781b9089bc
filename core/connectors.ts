/**
 * The registration point of connectors/: the only file of the program that names that folder. Each connector is loaded
 * when a setting asks for it; without the folder every service is charged by the embedded ledger.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Worker } from './async/worker.ts'
import { byService, type Charging, type ChargingConnector, type ChargingSystem } from './charging/charging.ts'
import { createLedger } from './charging/ledger.ts'
import type { ChargingSettings } from './config/charging.ts'
import { projectPath } from './config/project-files.ts'
import type { App } from './context/app.ts'
import { SetupError } from './errors/catalogue.ts'
import type { Settlement } from './transactions/kind.ts'

const FOLDER = projectPath('connectors')
const LEDGER = createLedger()

/**
 * Requires a connector to be installed.
 * @throws SetupError where the setting asks for one that is not in the folder of connectors.
 */
const requireConnector = (folder: string, name: 'http' | 'smpp', setting: string): void => {
  if (existsSync(join(folder, name))) return
  throw new SetupError(
    `${setting} needs the connector in connectors/${name}, which this installation does not have: restore that folder, or unset ${setting.split('=')[0]}`,
  )
}

const HTTP = 'CHARGING=http'

/**
 * Loads the connector over HTTP for each address: services at one address share a connector and its circuit breaker.
 */
const loadHttpConnectors = async (settings: ChargingSettings, folder: string) => {
  requireConnector(folder, 'http', HTTP)
  const { HttpCharging } = await import('#connectors/http/connector.ts')
  const known = new Map<string, ChargingConnector>()
  return (url: string): ChargingConnector => {
    const connector = known.get(url) ?? new HttpCharging({ ...settings, url })
    known.set(url, connector)
    return connector
  }
}

type Dependencies = Pick<App, 'config' | 'log' | 'db' | 'metrics' | 'watchdog'>

/** Loads the system that sends messages: message centres where `SMS=smpp`, else the ledger. */
const loadMessageSystem = async (dependencies: Dependencies, folder: string): Promise<ChargingSystem> => {
  const { config, log, db, metrics, watchdog } = dependencies
  const { smpp: settings, countryCode } = config
  if (!settings) return LEDGER
  requireConnector(folder, 'smpp', 'SMS=smpp')
  log.info({ binds: settings.binds.map(({ name }) => name) }, 'messages are sent over SMPP')
  const { createSmppConnector } = await import('#connectors/smpp/connector.ts')
  return createSmppConnector({ settings, countryCode, db, log, registry: metrics.registry, watchdog })
}

const hostOf = (url: string | undefined) => (url === undefined ? 'embedded ledger' : new URL(url).host)

/**
 * Chooses the charging system of each service: the embedded ledger unless settings say otherwise.
 * @param folder the folder of connectors.
 * @throws SetupError where a setting asks for a connector that is not installed.
 */
export async function chooseCharging(dependencies: Dependencies, folder: string = FOLDER): Promise<Charging> {
  const { config, log } = dependencies
  const { charging: settings } = config
  const systems = new Map([['messaging', await loadMessageSystem(dependencies, folder)]])
  if (!settings) return byService(systems, LEDGER)
  const connectorAt = await loadHttpConnectors(settings, folder)
  const named = Object.fromEntries([...settings.urls].map(([service, url]) => [service, hostOf(url)]))
  log.info({ ...named, others: hostOf(settings.url) }, 'charged by an outside system')
  for (const [service, url] of settings.urls) systems.set(service, connectorAt(url))
  return byService(systems, settings.url === undefined ? LEDGER : connectorAt(settings.url))
}

/** Starts settling one kind of transaction by an outside system. */
export async function startOrderSettler(
  app: App,
  settlement: Settlement,
  system: ChargingConnector,
): Promise<Worker> {
  const orders = await import('#connectors/http/orders/settler.ts')
  return orders.settleByConnector(app, settlement, system)
}

/** Registers `POST /charging/callbacks` where callbacks can be signed (`CHARGING_CALLBACK_SECRET`). */
export async function registerChargingCallbacks(server: FastifyInstance, app: App): Promise<void> {
  const secret = app.config.charging?.callbackSecret
  if (secret === undefined) return
  const { registerCallbacks } = await import('#connectors/http/orders/callbacks.ts')
  registerCallbacks(server, app, secret)
}

/** Loads the reader of an outside system's book, and the comparison with our orders. @throws SetupError where absent. */
export async function loadBookComparison() {
  requireConnector(FOLDER, 'http', HTTP)
  const [{ ChargingBook }, { compareBooks }] = await Promise.all([
    import('#connectors/http/book.ts'),
    import('#connectors/http/orders/compare.ts'),
  ])
  return { ChargingBook, compareBooks }
}
