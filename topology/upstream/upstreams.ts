/** All subgraphs that run as processes of their own, by name. */
import type { Logger } from '#core/observability/log.ts'
import { addressOfGraph, addressOfSetting, type InstanceAddress } from './address.ts'
import { HttpInstance } from './instance.ts'
import { HttpUpstream, type Upstream } from './upstream.ts'

export interface Upstreams {
  /**
   * The upstream of this name; the same one each time it is asked for.
   * @param url where the supergraph says it is, used when the settings name no address.
   * @returns undefined when neither says it.
   */
  of(name: string, url?: string): Upstream | undefined
  /** Lists the upstreams in use, each at the address that was asked for last. */
  current(): readonly Upstream[]
  /** How many writes through here have ended: a read that began before one must not be shared with who asks after it. */
  writes(): number
  /** Waits for what is in flight, and closes the connections. */
  close(): Promise<void>
}

export interface UpstreamsOptions {
  /** The addresses that the settings name (`SUBGRAPH_URLS`): one for each instance. */
  readonly urls: ReadonlyMap<string, readonly string[]>
  readonly log: Logger
  /** How long a request may take, in milliseconds (`REQUEST_TIMEOUT_MS`). */
  readonly timeoutMs: number
  /** The clock by which instances are ejected and probed, in milliseconds. */
  readonly now?: () => number
}

/** Nothing is connected until it is asked. */
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
