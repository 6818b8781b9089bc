/** Subgraphs in a gateway's readiness: one that does not answer fails all that needs it, while the gateway itself lives. */
import type { Findings, HealthCheck } from '#core/http/health.ts'
import type { Upstream } from './upstream.ts'
import type { Upstreams } from './upstreams.ts'

const findingsOf = async (upstream: Upstream): Promise<Findings> => {
  const { all, silent } = await upstream.silent()
  const what = `the subgraph ${upstream.name} does not answer`
  if (silent.length === 0) return { reasons: [] }
  if (silent.length === all) return { reasons: [what] }
  return { reasons: [], warnings: [`${what} at ${silent.join(', ')}`] }
}

/** Subgraphs of which no instance answers are reasons, single instances are warnings. Those who ask at the same time share the answer. */
export function upstreamCheck(upstreams: Upstreams): HealthCheck {
  let asking: Promise<Findings> | undefined
  const ask = async (): Promise<Findings> => {
    const found = await Promise.all(upstreams.current().map(findingsOf))
    return {
      reasons: found.flatMap(({ reasons }) => reasons),
      warnings: found.flatMap(({ warnings = [] }) => warnings),
    }
  }
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
}
