/** The services of this process, found through `names.ts`. */

import type { App } from '#core/context/app.ts'
import type { Subgraph } from '#core/graph/subgraph.ts'
import type { TransactionKind } from '#core/transactions/kind.ts'
import { loadService } from '#subgraphs/load.ts'
import { SERVICES } from '#subgraphs/names.ts'

/**
 * Puts every service of `names.ts` together, not started.
 * @param kinds every kind of transaction that there is, where there are more than those of the services.
 */
export async function loadServices(app: App, kinds?: readonly TransactionKind[]): Promise<Subgraph[]> {
  const factories = await Promise.all(SERVICES.map(({ name }) => loadService(name, kinds)))
  return factories.map(factory => factory(app))
}
