/** The services of this process, found through `names.ts`. */

import { loadService } from '../subgraphs/load.ts'
import { SERVICES } from '../subgraphs/names.ts'
import type { App } from '../subgraphs/shared/context/app.ts'
import type { Subgraph } from '../subgraphs/shared/graph/subgraph.ts'

/** Every service of `names.ts`, put together but not started. */
export async function loadServices(app: App): Promise<Subgraph[]> {
  const factories = await Promise.all(SERVICES.map(({ name }) => loadService(name)))
  return factories.map(factory => factory(app))
}
