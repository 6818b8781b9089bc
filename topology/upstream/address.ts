/** Where an instance is, as the settings or the supergraph say it. */

export interface InstanceAddress {
  /** `http://127.0.0.1:4001`. */
  readonly origin: string
  /** Where the graph is on it: `/graphql`. */
  readonly graphPath: string
  /** What stands before the REST paths, as before `/graphql`: mostly nothing. */
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
