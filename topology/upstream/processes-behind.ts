/** The processes behind the gateway as its metrics show them: whether they answer, and what they count themselves. */
import type { Config } from '#core/config/config.ts'
import { type MetricsTarget, OWN_ONLY, type ProcessesBehind } from '#core/http/metrics.ts'
import {
  contentTypeOfMetrics,
  type Family,
  mergeFamilies,
  withLabel,
} from '#core/observability/exposition.ts'
import { subgraphFigure } from '#core/observability/graph-metrics.ts'
import type { WholeResponse } from './exchange.ts'
import { parseMetrics } from './parse-metrics.ts'
import type { Upstream } from './upstream.ts'
import type { Upstreams } from './upstreams.ts'

/** Status of `/metrics` at a balancer (`ops/proxy/services.cfg`): the processes behind it are scraped at their own addresses. */
const AT_BALANCER = 404

const targetOf = ({ name, connections: { origin, basePath } }: Upstream): MetricsTarget => {
  const { host, protocol } = new URL(origin)
  return { process: name, host, scheme: protocol.replace(':', ''), path: `${basePath}/metrics` }
}

const ask = (
  { connections }: Upstream,
  { metricsToken }: Pick<Config, 'metricsToken'>,
): Promise<WholeResponse | undefined> =>
  connections.probe(`/metrics?${OWN_ONLY}=1`, {
    accept: contentTypeOfMetrics('openmetrics'),
    ...(metricsToken !== undefined && { authorization: `Bearer ${metricsToken}` }),
  })

/** Reads the metrics of one process, with its name; none where it does not answer. */
const readMetrics = async (upstream: Upstream, config: Pick<Config, 'metricsToken'>): Promise<Family[]> => {
  const response = await ask(upstream, config)
  if (response?.status !== 200) return []
  return withLabel(parseMetrics(response.body.toString()), 'process', upstream.name)
}

/** The processes behind the gateway, for its `/metrics` and `/metrics/targets`. */
export const processesBehind = (
  upstreams: Pick<Upstreams, 'current'>,
  config: Pick<Config, 'metricsToken'>,
): ProcessesBehind => ({
  async targets() {
    const all = upstreams.current()
    const responses = await Promise.all(all.map(upstream => ask(upstream, config)))
    return all.filter((_, index) => responses[index]?.status !== AT_BALANCER).map(targetOf)
  },
  read: async () =>
    mergeFamilies((await Promise.all(upstreams.current().map(one => readMetrics(one, config)))).flat()),
})

/** Reads whether the subgraphs behind the gateway answer. */
export const readSubgraphs = (upstreams: Pick<Upstreams, 'current'>) =>
  Promise.all(
    upstreams
      .current()
      .map(async ({ name, connections }) => subgraphFigure(name, await connections.isAlive())),
  )
