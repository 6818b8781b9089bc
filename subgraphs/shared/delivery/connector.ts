/**
 * Connections that reach only allowed addresses. The check wraps connecting itself: a lookup function alone would
 * never see a literal address, and a check of the name alone would trust what DNS says a moment later.
 */
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { type AllowList, isOpenHost, isRefused } from './address.ts'

/** Thrown instead of connecting; its message names no address, since it is shown to whom it is kept from. */
export class RefusedAddressError extends Error {
  readonly code = 'REFUSED_ADDRESS'

  constructor() {
    super('the address is not one of the public internet')
    this.name = 'RefusedAddressError'
  }
}

type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** One refused address among those of a name is enough: which of them would be taken is not ours to choose. */
const guardLookup =
  (lookup: Lookup, allow: AllowList): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '')
      const refused =
        !isOpenHost(hostname, allow) && addresses.some(({ address }) => isRefused(address, allow))
      if (refused) return callback(new RefusedAddressError(), '')
      if (options.all) return callback(null, addresses)
      callback(null, addresses[0]!.address, addresses[0]!.family)
    })

const bare = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1')

/** What was connected to in the end, whichever way it was found. */
const isRefusedPeer = (hostname: string, { remoteAddress }: Socket, allow: AllowList) =>
  !isOpenHost(hostname, allow) && (remoteAddress === undefined || isRefused(remoteAddress, allow))

/** An undici connector that refuses before, while and after looking up. */
export function guardConnector(allow: AllowList, lookup: Lookup = systemLookup): buildConnector.connector {
  const connect = buildConnector({ lookup: guardLookup(lookup, allow), timeout: 10_000 } as never)
  return (options, callback) => {
    const host = bare(options.hostname)
    if (isIP(host) && isRefused(host, allow)) return void callback(new RefusedAddressError(), null)
    connect(options, (error, socket) => {
      if (error) return callback(error, null)
      if (!isRefusedPeer(host, socket!, allow)) return callback(null, socket!)
      socket!.destroy()
      callback(new RefusedAddressError(), null)
    })
  }
}

/** The pool of connections over which webhooks go. */
export const createAgent = (allow: AllowList, lookup?: Lookup): Agent =>
  new Agent({ connect: guardConnector(allow, lookup), pipelining: 1, keepAliveTimeout: 4_000 })
