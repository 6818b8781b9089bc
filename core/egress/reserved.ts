/**
 * Where the services of this installation and the systems behind them listen. `WEBHOOK_ALLOW` opens none of it by an
 * entry without a port: whoever wants webhooks there has to name the port.
 */
import { isThisMachine } from './own-address.ts'
import { parseAddress } from './special-ranges.ts'

/** A host, by name or as an address, and a port. */
export interface Place {
  readonly host: string
  readonly port: number
}

export interface Reserved {
  /** On this machine, by whichever of its addresses. */
  readonly ports: readonly number[]
  readonly places: readonly Place[]
}

/** Nothing. */
export const NONE: Reserved = { ports: [], places: [] }

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'postgresql:': 5432,
  'postgres:': 5432,
}

/** The place of an address such as `http://10.0.0.5:8080/base`; none of what is no address. */
export const placesOf = (address: string | undefined): Place[] => {
  if (address === undefined || !URL.canParse(address)) return []
  const { hostname, port, protocol } = new URL(address)
  const number = port === '' ? DEFAULT_PORTS[protocol] : Number(port)
  return number === undefined || hostname === '' ? [] : [{ host: hostname, port: number }]
}

/** Names as they are compared: small letters, without brackets and the dot of the root. */
const plain = (host: string) =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

const isSameHost = (one: string, other: string): boolean => {
  const [a, b] = [parseAddress(plain(one)), parseAddress(plain(other))]
  return a && b ? a.toString() === b.toString() : plain(one) === plain(other)
}

/** Ports at which the web's own servers listen on any host. */
const WEB = [80, 443]

/**
 * Whether something of the installation listens at this host and port. Where a name leads is not looked up: at an IP address
 * the port of a system that is known by its name counts as that system's, unless it is one of the web's.
 */
export const isReserved = (host: string, port: number, { ports, places }: Reserved): boolean => {
  const here = isThisMachine(plain(host))
  if (here && ports.includes(port)) return true
  const isAddress = parseAddress(plain(host)) !== undefined
  return places.some(place => {
    if (place.port !== port) return false
    if (isSameHost(place.host, host) || (here && isThisMachine(plain(place.host)))) return true
    return isAddress && parseAddress(plain(place.host)) === undefined && !WEB.includes(port)
  })
}
