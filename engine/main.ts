/** Entry of the engine, loaded by `core/engine.ts`. */
import type { Engine } from '#core/context/engine.ts'
import { createCompiledDocuments } from './subgraph/operation.ts'

export const engine: Engine = {
  createDocuments: createCompiledDocuments,
  /** Apart, since processes without a gateway load nothing of Apollo. */
  loadGateway: () => import('./gateway/operations.ts'),
}
