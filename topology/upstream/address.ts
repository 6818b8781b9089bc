/** Addresses of subgraphs that run as processes of their own: of the process or a balancer before several, and their paths. */

/** The address of a service, from the settings or the supergraph. */
export interface ServiceAddress {
  /** `http://127.0.0.1:4001`. */
  readonly origin: string
  /** The path of its graph: `/graphql`. */
  readonly graphPath: string
  /** The prefix of its REST paths and of `/graphql`: mostly empty. */
  readonly basePath: string
}

const GRAPH = '/graphql'

const toAddress = (origin: string, graphPath: string): ServiceAddress => ({
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
export function addressOfSetting(url: string): ServiceAddress {
  const { origin, pathname } = new URL(url)
  const path = withoutEnd(pathname, '/')
  return toAddress(origin, path.endsWith(GRAPH) ? path : `${path}${GRAPH}`)
}

/** The address in a supergraph, which is that of the graph, whatever its path. */
export function addressOfGraph(url: string): ServiceAddress {
  const { origin, pathname } = new URL(url)
  return toAddress(origin, pathname)
}
