/** The processes behind the gateway as its metrics show them: whether they answer, and what they count themselves. */
import type { Config } from '#core/config/config.ts'
import { type MetricsTarget, OWN_ONLY, type ProcessesBehind } from '#core/http/metrics.ts'
import {
  contentTypeOfMetrics,
  type Family,
  mergeFamilies,
  withLabel,
} from '#core/observability/exposition.ts'
import { subgraphFigures } from '#core/observability/graph-metrics.ts'
import type { HttpInstance } from './instance.ts'
import { parseMetrics } from './parse-metrics.ts'
import type { Upstream } from './upstream.ts'
import type { Upstreams } from './upstreams.ts'

/** An instance with the name of its process: that of the subgraph, and its address where there are several. */
interface NamedInstance {
  readonly process: string
  readonly instance: HttpInstance
}

const namedInstances = ({ name, instances }: Upstream): NamedInstance[] =>
  instances.map(instance => ({
    process: instances.length > 1 ? `${name} ${new URL(instance.origin).host}` : name,
    instance,
  }))

const targetOf = ({ process, instance: { origin, basePath } }: NamedInstance): MetricsTarget => {
  const { host, protocol } = new URL(origin)
  return { process, host, scheme: protocol.replace(':', ''), path: `${basePath}/metrics` }
}

/** The metrics of one process, with its name; none where it does not answer. */
const readMetrics = async (
  { process, instance }: NamedInstance,
  { metricsToken }: Pick<Config, 'metricsToken'>,
): Promise<Family[]> => {
  const response = await instance.probe(`/metrics?${OWN_ONLY}=1`, {
    accept: contentTypeOfMetrics('openmetrics'),
    ...(metricsToken !== undefined && { authorization: `Bearer ${metricsToken}` }),
  })
  if (response?.status !== 200) return []
  return withLabel(parseMetrics(response.body.toString()), 'process', process)
}

/** The processes behind the gateway, for its `/metrics` and `/metrics/targets`. */
export const processesBehind = (
  upstreams: Pick<Upstreams, 'current'>,
  config: Pick<Config, 'metricsToken'>,
): ProcessesBehind => {
  const all = () => upstreams.current().flatMap(namedInstances)
  return {
    targets: () => all().map(targetOf),
    read: async () => mergeFamilies((await Promise.all(all().map(one => readMetrics(one, config)))).flat()),
  }
}

/** Whether the subgraphs behind the gateway answer. */
export const readSubgraphs = async (upstreams: Pick<Upstreams, 'current'>) => {
  const figures = upstreams.current().map(async upstream => {
    const { all, silent } = await upstream.silent()
    return subgraphFigures(upstream.name, { alive: all - silent.length, silent: silent.length })
  })
  return (await Promise.all(figures)).flat()
}
