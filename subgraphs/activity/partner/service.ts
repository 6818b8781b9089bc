/** The tools of partners over REST, as far as the graph does not have them. */
import type { App } from '#core/context/app.ts'
import type { PathHost } from '#core/graph/subgraph.ts'
import type { Kinds } from '../kinds.ts'
import { createStatementReads } from '../statements/read.ts'
import { createEndpointService, type EndpointService } from './endpoints.ts'
import { registerEvents } from './events.ts'
import { createTransactionReads } from './transactions.ts'

export interface PartnerService {
  readonly endpoints: EndpointService
  readonly transactions: ReturnType<typeof createTransactionReads>
  readonly statements: ReturnType<typeof createStatementReads>
  registerEvents(server: PathHost): void
}

/** Makes the service. */
export const createPartnerService = (app: App, kinds: Kinds): PartnerService => ({
  endpoints: createEndpointService(app),
  transactions: createTransactionReads(app, kinds),
  statements: createStatementReads(app, kinds),
  registerEvents: registerEvents(app, kinds),
})
