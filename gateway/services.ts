/** The services of this process, found through `names.ts`. */
import { SERVICES } from '../subgraphs/names.ts'
import type { App } from '../subgraphs/shared/app.ts'
import type { Subgraph, SubgraphFactory } from '../subgraphs/shared/subgraph.ts'

const importService = async (name: string): Promise<SubgraphFactory> =>
  (await import(`../subgraphs/${name}/index.ts`)).default

/** Every service of `names.ts`, put together but not started. */
export async function loadServices(app: App): Promise<Subgraph[]> {
  const factories = await Promise.all(SERVICES.map(({ name }) => importService(name)))
  return factories.map(factory => factory(app))
}
