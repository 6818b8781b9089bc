/** Paths that last longer than other requests: exports, and waits for events. */
import type { App } from '#core/context/app.ts'
import type { PathHost } from '#core/graph/subgraph.ts'
import { registerExports } from './export/route.ts'
import type { ActivityService } from './service.ts'

/** Registers them. */
export const registerPaths =
  (app: App, service: ActivityService) =>
  (server: PathHost): void => {
    registerExports(app, service)(server)
    service.partner.registerEvents(server)
  }
