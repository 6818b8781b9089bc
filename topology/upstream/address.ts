/** Addresses of subgraphs that run as processes of their own: where an instance listens, and under which paths. */

/** The address of an instance, from the settings or the supergraph. */
export interface InstanceAddress {
  /** `http://127.0.0.1:4001`. */
  readonly origin: string
  /** The path of its graph: `/graphql`. */
  readonly graphPath: string
  /** The prefix of its REST paths and of `/graphql`: mostly empty. */
  readonly basePath: string
}

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
export function addressOfSetting(url: string): InstanceAddress {
  const { origin, pathname } = new URL(url)
  const path = withoutEnd(pathname, '/')
  return toAddress(origin, path.endsWith(GRAPH) ? path : `${path}${GRAPH}`)
}

/** The address in a supergraph, which is that of the graph, whatever its path. */
export function addressOfGraph(url: string): InstanceAddress {
  const { origin, pathname } = new URL(url)
  return toAddress(origin, pathname)
}
