/** Services are reached by their names here, and nowhere else. */
import type { SubgraphFactory } from './shared/define-subgraph.ts'

/** The service in the folder of this name, which must be one of `names.ts`. */
export const loadService = async (name: string): Promise<SubgraphFactory> =>
  (await import(`./${name}/index.ts`)).default
