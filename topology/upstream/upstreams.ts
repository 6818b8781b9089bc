/** All subgraphs that run as processes of their own, by name: their addresses, and whether they are alive. */
import type { Degradation, HealthCheck } from '#core/http/health.ts'
import type { Logger } from '#core/observability/log.ts'
import { addressOfGraph, addressOfSetting, type ServiceAddress } from './address.ts'
import { UpstreamConnections } from './connections.ts'
import { HttpUpstream, type Upstream } from './upstream.ts'

export interface Upstreams {
  /**
   * Finds the upstream of this name; the same one at each call.
   * @param url its address in the supergraph, used when the settings name none.
   * @returns undefined when neither names one.
   */
  of(name: string, url?: string): Upstream | undefined
  /** Lists the upstreams in use, each at its latest address. */
  current(): readonly Upstream[]
  /** The number of writes through here that have ended: a read that began before one is not shared with later requests. */
  writes(): number
  /** Waits for calls in flight, and closes the connections. */
  close(): Promise<void>
}

export interface UpstreamsOptions {
  /** The addresses that the settings name (`SUBGRAPH_URLS`). */
  readonly urls: ReadonlyMap<string, string>
  readonly log: Logger
  /** The time that a request may take, in milliseconds (`REQUEST_TIMEOUT_MS`). */
  readonly timeoutMs: number
  /** The clock by which a failing subgraph is left alone and probed, in milliseconds. */
  readonly now?: () => number
}

/** Creates the upstreams; none connects before its first request. */
export function createUpstreams({ urls, log, timeoutMs, now = Date.now }: UpstreamsOptions): Upstreams {
  // By address too: a supergraph that is loaded anew may have moved a subgraph.
  const known = new Map<string, Upstream>()
  const latest = new Map<string, Upstream>()
  let writes = 0

  const addressOf = (name: string, url?: string): ServiceAddress | undefined => {
    const setting = urls.get(name)
    if (setting !== undefined) return addressOfSetting(setting)
    return url ? addressOfGraph(url) : undefined
  }

  const open = (name: string, address: ServiceAddress | undefined) => {
    if (!address) return undefined
    const connections = new UpstreamConnections({ subgraph: name, address, log, timeoutMs, now })
    return new HttpUpstream(name, connections, () => void writes++)
  }

  return {
    of(name, url) {
      const key = urls.has(name) ? name : `${name} ${url}`
      const upstream = known.get(key) ?? open(name, addressOf(name, url))
      if (upstream) {
        known.set(key, upstream)
        latest.set(name, upstream)
      }
      return upstream
    },
    current: () => [...latest.values()],
    writes: () => writes,
    close: async () => {
      await Promise.all([...known.values()].map(({ connections }) => connections.close()))
    },
  }
}

const degradationOf = async ({ name, connections }: Upstream): Promise<readonly Degradation[]> =>
  (await connections.isAlive())
    ? []
    : [
        {
          part: `subgraph ${name}`,
          reason: `the subgraph ${name} does not answer`,
          since: connections.failingSince,
        },
      ]

/**
 * Makes the readiness check of the gateway: a subgraph that does not answer is a reason, since all that needs it fails.
 * Checks that run at the same time are one.
 */
export function upstreamCheck(upstreams: Upstreams): HealthCheck {
  let running: Promise<readonly Degradation[]> | undefined
  const check = async () => (await Promise.all(upstreams.current().map(degradationOf))).flat()
  return () => {
    running ??= check().finally(() => {
      running = undefined
    })
    return running
  }
}
