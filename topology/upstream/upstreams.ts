/** All subgraphs that run as processes of their own, by name: their addresses, and whether they are alive. */
import type { Findings, HealthCheck } from '#core/http/health.ts'
import type { Logger } from '#core/observability/log.ts'
import { HttpInstance, type InstanceAddress } from './instance.ts'
import { HttpUpstream, type Upstream } from './upstream.ts'

const GRAPH = '/graphql'

const toAddress = (origin: string, graphPath: string): InstanceAddress => ({
  origin,
  graphPath,
  basePath: graphPath.endsWith(GRAPH) ? graphPath.slice(0, -GRAPH.length) : '',
})

const withoutEnd = (text: string, sign: string): string => {
  let end = text.length
  while (end > 0 && text[end - 1] === sign) end -= 1
  return text.slice(0, end)
}

/** The address in a setting: a base, on which the graph is at `/graphql`, or that of the graph itself. */
function addressOfSetting(url: string): InstanceAddress {
  const { origin, pathname } = new URL(url)
  const path = withoutEnd(pathname, '/')
  return toAddress(origin, path.endsWith(GRAPH) ? path : `${path}${GRAPH}`)
}

/** The address in a supergraph, which is that of the graph, whatever its path. */
function addressOfGraph(url: string): InstanceAddress {
  const { origin, pathname } = new URL(url)
  return toAddress(origin, pathname)
}

export interface Upstreams {
  /**
   * The upstream of this name; the same one at each call.
   * @param url its address in the supergraph, used when the settings name none.
   * @returns undefined when neither says it.
   */
  of(name: string, url?: string): Upstream | undefined
  /** Lists the upstreams in use, each at its latest address. */
  current(): readonly Upstream[]
  /** The number of writes through here that have ended: a read that began before one is not shared with later requests. */
  writes(): number
  /** Waits for what is in flight, and closes the connections. */
  close(): Promise<void>
}

export interface UpstreamsOptions {
  /** The addresses that the settings name (`SUBGRAPH_URLS`): one for each instance. */
  readonly urls: ReadonlyMap<string, readonly string[]>
  readonly log: Logger
  /** The time that a request may take, in milliseconds (`REQUEST_TIMEOUT_MS`). */
  readonly timeoutMs: number
  /** The clock by which instances are ejected and probed, in milliseconds. */
  readonly now?: () => number
}

/** Creates the upstreams; none connects before its first request. */
export function createUpstreams({ urls, log, timeoutMs, now = Date.now }: UpstreamsOptions): Upstreams {
  // By address too: a supergraph that is loaded anew may have moved a subgraph.
  const known = new Map<string, Upstream>()
  const latest = new Map<string, Upstream>()
  let writes = 0

  const addressesOf = (name: string, url?: string): InstanceAddress[] =>
    urls.get(name)?.map(addressOfSetting) ?? (url ? [addressOfGraph(url)] : [])

  const open = (name: string, addresses: readonly InstanceAddress[]) => {
    if (addresses.length === 0) return undefined
    const instances = addresses.map(
      address => new HttpInstance({ subgraph: name, address, log, timeoutMs, now }),
    )
    return new HttpUpstream(name, instances, () => void writes++)
  }

  return {
    of(name, url) {
      const key = urls.has(name) ? name : `${name} ${url}`
      const upstream = known.get(key) ?? open(name, addressesOf(name, url))
      if (upstream) {
        known.set(key, upstream)
        latest.set(name, upstream)
      }
      return upstream
    },
    current: () => [...latest.values()],
    writes: () => writes,
    close: async () => {
      await Promise.all([...known.values()].map(upstream => upstream.close()))
    },
  }
}

const findingsOf = async (upstream: Upstream): Promise<Findings> => {
  const { all, silent } = await upstream.silent()
  const what = `the subgraph ${upstream.name} does not answer`
  if (silent.length === 0) return { reasons: [] }
  if (silent.length === all) return { reasons: [what] }
  return { reasons: [], warnings: [`${what} at ${silent.join(', ')}`] }
}

/**
 * A readiness check of the gateway: a subgraph without a living instance is a reason, since all that needs it fails; a
 * single instance is a warning. Checks that run at the same time are one.
 */
export function upstreamCheck(upstreams: Upstreams): HealthCheck {
  let running: Promise<Findings> | undefined
  const check = async (): Promise<Findings> => {
    const found = await Promise.all(upstreams.current().map(findingsOf))
    return {
      reasons: found.flatMap(({ reasons }) => reasons),
      warnings: found.flatMap(({ warnings = [] }) => warnings),
    }
  }
  return () => {
    running ??= check().finally(() => {
      running = undefined
    })
    return running
  }
}
