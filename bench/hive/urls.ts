/** Where the subgraphs are, as `SUBGRAPH_URLS` says it: `name=url,name=url`. */

/**
 * The addresses by name; those not named stay where the supergraph says.
 * @throws Error naming the part that is not `name=url`.
 */
export function readUrls(text = ''): Record<string, string> {
  const parts = text.split(',').filter(Boolean)
  return Object.fromEntries(parts.map(readPart))
}

const readPart = (part: string): [name: string, url: string] => {
  const [name, url] = part.split(/=(.*)/s) as [string, string?]
  if (!url || !URL.canParse(url)) throw new Error(`SUBGRAPH_URLS: ${part} is not name=url`)
  return [name, url]
}
