/**
 * Guarded agent: connections to allowed addresses alone. The check wraps connecting itself: a lookup function alone
 * would never see a literal address, and a check of the name alone would trust a later response of DNS.
 */
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import { Agent, buildConnector } from 'undici'
import { type AllowList, isOpenHost, isRefused, portOf } from './callback-policy.ts'

type Found = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void

/** Looks up all addresses of a name, like `dns.lookup`. */
export type Lookup = (hostname: string, options: LookupOptions & { all: true }, found: Found) => void

/**
 * Shares one look-up of a name among all that wait for it. Node looks names up on two threads, and a look-up takes 10 s
 * where the name server does not answer: repeated for each attempt, those of one endpoint would delay all others.
 */
export function shareLookups(lookup: Lookup): Lookup {
  const waiting = new Map<string, Found[]>()
  return (hostname, options, found) => {
    const key = `${hostname} ${options.family} ${options.hints}`
    const others = waiting.get(key)
    if (others) return void others.push(found)
    const all = [found]
    waiting.set(key, all)
    lookup(hostname, options, (error, addresses) => {
      waiting.delete(key)
      for (const each of all) each(error, addresses)
    })
  }
}

/** Thrown instead of connecting; its message names no address, since clients read it. */
class RefusedAddressError extends Error {
  readonly code = 'REFUSED_ADDRESS'

  constructor() {
    super('the address is not one of the public internet')
    this.name = 'RefusedAddressError'
  }
}

/** Rules for the addresses and ports of connections. */
interface Guard {
  readonly allow: AllowList
  /** Whether this process itself listens there; never allowed. */
  readonly isOwn?: (ip: string, port: number) => boolean
}

/** More addresses than any name needs; the rest of a response is ignored. */
const MAX_ADDRESSES = 32

/** Whether the address may not be connected to by this name. */
const isBarred = (hostname: string, ip: string, port: number, { allow, isOwn }: Guard): boolean =>
  isOwn?.(ip, port) || (!isOpenHost(hostname, port, allow, ip) && isRefused(ip, port, allow))

/** Refuses a name with one refused address: the connector chooses among all of them. */
const guardLookup =
  (lookup: Lookup, guard: Guard, port: number): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, all) => {
      if (error) return callback(error, '')
      const addresses = all.slice(0, MAX_ADDRESSES)
      if (addresses.some(({ address }) => isBarred(hostname, address, port, guard)))
        return callback(new RefusedAddressError(), '')
      if (options.all) return callback(null, addresses)
      callback(null, addresses[0]!.address, addresses[0]!.family)
    })

const bare = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1')

/** Checks the address of the connection in the end, independent of the look-up. */
const isBarredPeer = (hostname: string, { remoteAddress }: Socket, port: number, guard: Guard) =>
  remoteAddress === undefined || isBarred(hostname, remoteAddress, port, guard)

/** Undici's one limit for look-up, connecting and the handshake. */
const CONNECT_TIMEOUT_MS = 10_000
const MAX_CONNECTORS = 64

/** A look-up does not receive the port, so each port has a connector, which keeps its TLS sessions. */
const connectorsByPort = (guard: Guard, lookup: Lookup) => {
  const connectors = new LRUCache<number, buildConnector.connector>({ max: MAX_CONNECTORS })
  return (port: number): buildConnector.connector => {
    const known = connectors.get(port)
    if (known) return known
    const options = { lookup: guardLookup(lookup, guard, port), timeout: CONNECT_TIMEOUT_MS }
    const made = buildConnector(options as buildConnector.BuildOptions)
    connectors.set(port, made)
    return made
  }
}

/** Makes an undici connector that refuses before, during and after the look-up. */
function guardConnector(guard: Guard, lookup: Lookup = systemLookup): buildConnector.connector {
  const connectorOf = connectorsByPort(guard, shareLookups(lookup))
  return (options, callback) => {
    const host = bare(options.hostname)
    const port = portOf(options)
    if (isIP(host) && isBarred(host, host, port, guard)) return void callback(new RefusedAddressError(), null)
    connectorOf(port)(options, (error, socket) => {
      if (error) return callback(error, null)
      if (!isBarredPeer(host, socket!, port, guard)) return callback(null, socket!)
      socket!.destroy()
      callback(new RefusedAddressError(), null)
    })
  }
}

/** Limit of a response's headers in total. */
const MAX_HEADER_BYTES = 16 * 1024

/** Makes the pool of connections for webhooks. */
export const createGuardedAgent = (guard: Guard, lookup?: Lookup): Agent =>
  new Agent({
    connect: guardConnector(guard, lookup),
    pipelining: 1,
    keepAliveTimeout: 4_000,
    maxHeaderSize: MAX_HEADER_BYTES,
  })
