/** Loads services by their names; no other file does. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '#core/context/app.ts'
import type { Subgraph } from '#core/graph/subgraph.ts'
import type { TransactionKind } from '#core/transactions/kind.ts'
import { SERVICES, type ServiceName } from './names.ts'

const hasKind = ({ name }: ServiceName) => existsSync(join(import.meta.dirname, name, 'kind.ts'))

/**
 * Loads the kind that each service's `kind.ts` exports, in the order of `names.ts`; a service that posts nothing has
 * none.
 */
export async function loadKinds(): Promise<TransactionKind[]> {
  const owners = SERVICES.filter(hasKind)
  const modules = await Promise.all(owners.map(({ name }) => import(`./${name}/kind.ts`)))
  return modules.flatMap(exported => Object.values<TransactionKind>(exported))
}

/**
 * Loads the service in the folder of this name, which must be one of `names.ts`.
 * @param kinds every kind of transaction; those of the services of `names.ts` unless given.
 */
export async function loadService(
  name: string,
  kinds?: readonly TransactionKind[],
): Promise<(app: App) => Subgraph> {
  const [{ default: factory }, all] = await Promise.all([import(`./${name}/index.ts`), kinds ?? loadKinds()])
  return app => factory(app, all)
}
