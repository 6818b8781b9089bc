/** Services are reached by their names here, and nowhere else. */
import { SERVICES } from './names.ts'
import type { App } from './shared/context/app.ts'
import type { Subgraph } from './shared/graph/subgraph.ts'
import type { TransactionKind } from './shared/transactions/kind.ts'

/** What each service's `kind.ts` exports, in the order of `names.ts`. */
export async function loadKinds(): Promise<TransactionKind[]> {
  const owners = SERVICES.filter(({ rest }) => rest)
  const modules = await Promise.all(owners.map(({ name }) => import(`./${name}/kind.ts`)))
  return modules.flatMap(exported => Object.values<TransactionKind>(exported))
}

/** The service in the folder of this name, which must be one of `names.ts`, told of all kinds of transaction. */
export async function loadService(name: string): Promise<(app: App) => Subgraph> {
  const [{ default: factory }, kinds] = await Promise.all([import(`./${name}/index.ts`), loadKinds()])
  return app => factory(app, kinds)
}
