/** Where subgraphs run that are processes of their own: `name=url,…`, a name once for each of its instances. */

/** The addresses of each subgraph's instances. */
export type SubgraphUrls = ReadonlyMap<string, readonly string[]>

/** A subgraph's name may come with a supergraph that is loaded later, so any that could be one is taken. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

const split = (entry: string): [name: string, url: string] => {
  const at = entry.indexOf('=')
  return at < 0 ? [entry, ''] : [entry.slice(0, at).trim(), entry.slice(at + 1).trim()]
}

/** A base, or the address of its graph: nothing that a request would not take along. */
const isAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && !(username || password || search || hash)
}

/** Why an entry cannot be used; undefined when it can. */
export function faultOfEntry(entry: string): string | undefined {
  const [name, url] = split(entry)
  if (!NAME.test(name)) return `${JSON.stringify(name)} is not the name of a subgraph`
  if (!isAddress(url)) return `${name} must be at an http(s) address such as http://127.0.0.1:4001`
  return undefined
}

/** The addresses by name, in the order in which they stand. */
export function readSubgraphUrls(entries: readonly string[]): SubgraphUrls {
  const urls = new Map<string, string[]>()
  for (const [name, url] of entries.map(split)) urls.set(name, [...(urls.get(name) ?? []), url])
  return urls
}
