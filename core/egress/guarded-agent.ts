/**
 * The guarded agent: connections that reach only allowed addresses. The check wraps connecting itself: a lookup
 * function alone would never see a literal address, and a check of the name alone would trust what DNS says a moment
 * later.
 */
import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import { Agent, buildConnector } from 'undici'
import { type AllowList, isOpenHost } from './allow-list.ts'
import { isRefused, portOf } from './callback-policy.ts'
import { type Lookup, shareLookups } from './shared-lookup.ts'

/** Thrown instead of connecting; its message names no address, since it is shown to whom it is kept from. */
export class RefusedAddressError extends Error {
  readonly code = 'REFUSED_ADDRESS'

  constructor() {
    super('the address is not one of the public internet')
    this.name = 'RefusedAddressError'
  }
}

/** Which addresses may be connected to at a port. */
export interface Guard {
  readonly allow: AllowList
  /** Whether this process itself listens there; never allowed. */
  readonly isOwn?: (ip: string, port: number) => boolean
}

/** More addresses than any name needs; the rest of a response is not looked at, and not connected to. */
const MAX_ADDRESSES = 32

/** Whether the address may not be connected to by this name. */
const isBarred = (hostname: string, ip: string, port: number, { allow, isOwn }: Guard): boolean =>
  isOwn?.(ip, port) || (!isOpenHost(hostname, port, allow, ip) && isRefused(ip, port, allow))

/** One refused address among those of a name is enough: which of them would be taken is not ours to choose. */
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

/** What was connected to in the end, whichever way it was found. */
const isBarredPeer = (hostname: string, { remoteAddress }: Socket, port: number, guard: Guard) =>
  remoteAddress === undefined || isBarred(hostname, remoteAddress, port, guard)

/** The one limit of undici on looking up, connecting and the handshake. */
const CONNECT_TIMEOUT_MS = 10_000
const MAX_CONNECTORS = 64

/** Looking up is not told the port, so there is a connector for each; each keeps its TLS sessions. */
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

/** An undici connector that refuses before, while and after looking up. */
export function guardConnector(guard: Guard, lookup: Lookup = systemLookup): buildConnector.connector {
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

/** Of a response's headers, all together. */
const MAX_HEADER_BYTES = 16 * 1024

/** The pool of connections over which webhooks go. */
export const createGuardedAgent = (guard: Guard, lookup?: Lookup): Agent =>
  new Agent({
    connect: guardConnector(guard, lookup),
    pipelining: 1,
    keepAliveTimeout: 4_000,
    maxHeaderSize: MAX_HEADER_BYTES,
  })
