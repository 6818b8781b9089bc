/** Settings that name other hosts: browsers' origins, proxies before this process, and subgraphs in other processes. */
import { BlockList, isIP, isIPv4 } from 'node:net'
import type { SettingsReader } from './settings.ts'

/** Whether a text is an http(s) address to which a path can be added: without user, query or fragment. */
export const isHttpBase = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && !(username || password || search || hash)
}

/** The origins of a demo: pages that a developer serves on the same machine. */
const DEMO_ORIGINS = 'http://localhost:*,http://127.0.0.1:*'

/** The origins from which browsers may call; they send theirs as RFC 6454 §6.2 writes it. */
export interface CorsOrigins {
  /** Whether there are none, so that browsers need no response headers. */
  readonly none: boolean
  /** Whether every origin may call. */
  readonly all: boolean
  allows(origin: string): boolean
}

const ANY_PORT = /:\*$/
const ORIGIN = /^https?:\/\/(\[[\da-f:.]+\]|[^\s/?#@:[\]*]+)(:\d{1,5}|:\*)?$/i

const isOrigin = (entry: string): boolean =>
  entry === '*' || (ORIGIN.test(entry) && URL.canParse(entry.replace(ANY_PORT, '')))

const withoutPort = ({ protocol, hostname }: URL): string => `${protocol}//${hostname}`

/** Reads the entries that have no fault: origins, those of any port (`http://localhost:*`), or all (`*`). */
export function readCorsOrigins(entries: readonly string[]): CorsOrigins {
  const all = entries.includes('*')
  const origins = entries.filter(entry => entry !== '*' && isOrigin(entry))
  const exact = new Set(origins.filter(one => !ANY_PORT.test(one)).map(one => new URL(one).origin))
  const anyPort = new Set(
    origins.filter(one => ANY_PORT.test(one)).map(one => withoutPort(new URL(one.replace(ANY_PORT, '')))),
  )
  const isListed = (origin: string): boolean => {
    const url = URL.parse(origin)
    return url !== null && url.origin === origin && (exact.has(origin) || anyPort.has(withoutPort(url)))
  }
  return { none: !all && origins.length === 0, all, allows: origin => all || isListed(origin) }
}

/** Reads `CORS_ORIGINS`. */
export const readOrigins = (read: SettingsReader, demo: boolean): CorsOrigins => {
  const entries = read.list('CORS_ORIGINS', demo ? DEMO_ORIGINS : '')
  for (const entry of entries.filter(one => !isOrigin(one)))
    read.faults.push(
      `CORS_ORIGINS must be * or origins such as https://portal.test or http://localhost:*, comma-separated: ${JSON.stringify(entry)} is neither`,
    )
  return readCorsOrigins(entries)
}

/**
 * The proxies that are trusted, as Fastify takes them: with false there are none, and the address of the connection counts;
 * otherwise whether the address that is `hop` steps away may name the next one in `X-Forwarded-For`.
 */
export type TrustProxy = false | ((address: string, hop: number) => boolean)

/** Number of hops: at most 32, more than any installation has. */
const HOPS = /^([1-9]|[1-2]\d|3[0-2])$/

const split = (text: string) => text.split(',').map(part => part.trim())

/** Whether an entry is an address or a range (RFC 4632, RFC 4291 §2.3). */
const isRange = (entry: string): boolean => {
  const [address = '', bits, more] = entry.split('/')
  if (isIP(address) === 0 || more !== undefined) return false
  if (bits === undefined) return true
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128)
}

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6')

/** Reads a number of hops, or addresses and ranges, comma-separated. */
export function readTrustProxy(text: string | undefined): TrustProxy {
  if (text === undefined) return false
  if (HOPS.test(text)) return (_, hop) => hop < Number(text)
  const ranges = new BlockList()
  for (const entry of split(text)) {
    const [address = '', bits] = entry.split('/')
    const family = familyOf(address)
    ranges.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family)
  }
  // Any client can write any text into the header.
  return address => isIP(address) !== 0 && ranges.check(address, familyOf(address))
}

/** Reads `TRUST_PROXY`. */
export const readProxies = (read: SettingsReader): TrustProxy => {
  const text = read.optional('TRUST_PROXY')
  const holds = text === undefined || HOPS.test(text) || split(text).every(isRange)
  read.expect(
    holds,
    'TRUST_PROXY',
    'a number of proxies such as 1, or their addresses such as 10.0.0.0/8,::1',
  )
  return holds ? readTrustProxy(text) : false
}

/** The address of each subgraph by its name. */
export type SubgraphUrls = ReadonlyMap<string, string>

/** Name of a subgraph, whichever could be one, since it may come with a supergraph that is loaded later. */
const SUBGRAPH_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

/** Reads `SUBGRAPH_URLS`: `name=url,…`. */
export const readSubgraphUrls = (read: SettingsReader): SubgraphUrls => {
  const urls = new Map<string, string>()
  const faults: string[] = []
  for (const entry of read.list('SUBGRAPH_URLS')) {
    const [, name = entry, url = ''] = /^([^=]*)=(.*)$/s.exec(entry) ?? []
    const [subgraph, address] = [name.trim(), url.trim()]
    if (!SUBGRAPH_NAME.test(subgraph))
      faults.push(`${JSON.stringify(subgraph)} is not the name of a subgraph`)
    else if (!isHttpBase(address))
      faults.push(`${subgraph} must be at an http(s) address such as http://127.0.0.1:4001`)
    else if (urls.has(subgraph))
      faults.push(
        `${subgraph} stands twice: name one address, of a balancer before its processes (ops/proxy/services.cfg)`,
      )
    else urls.set(subgraph, address)
  }
  read.faults.push(...faults.map(fault => `SUBGRAPH_URLS must be name=url, comma-separated: ${fault}`))
  return faults.length > 0 ? new Map() : urls
}
