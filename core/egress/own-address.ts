/** Where this process itself listens: no webhook goes there, whatever `WEBHOOK_ALLOW` opens. */
import { hostname, networkInterfaces } from 'node:os'
import { isWithin, parseAddress, parseRange } from './special-ranges.ts'

/** Loopback, and the unspecified addresses, by which a system connects to itself as well. */
const SELF = ['127.0.0.0/8', '0.0.0.0/8', '::1', '::'].map(range => parseRange(range)!)

const interfaceAddresses = () =>
  Object.values(networkInterfaces()).flatMap(entries => (entries ?? []).map(({ address }) => address))

/** Whether the address is one of this machine. */
const isOfThisMachine = (ip: string): boolean => {
  const address = parseAddress(ip)
  if (!address) return false
  if (SELF.some(range => isWithin(address, range))) return true
  return interfaceAddresses().some(own => parseAddress(own)?.toString() === address.toString())
}

/** Whether a host, by name or as an address, is this machine. */
export const isThisMachine = (host: string): boolean =>
  /(^|\.)localhost$/.test(host) || host === hostname().toLowerCase() || isOfThisMachine(host)

/** The ports at which this process listens. */
export interface OwnPorts {
  /** @param ports asked whenever it matters, for a server starts to listen late. */
  add(ports: () => readonly number[]): void
  all(): readonly number[]
}

/** None yet. */
export function createOwnPorts(): OwnPorts {
  const servers = new Set<() => readonly number[]>()
  return {
    add: ports => void servers.add(ports),
    all: () => [...servers].flatMap(ports => ports()),
  }
}

/**
 * A function that says whether something is this process's own.
 * @param ports where it listens; asked at every connection.
 */
export const ownAddressCheck =
  (ports: () => readonly number[]) =>
  (ip: string, port: number): boolean =>
    ports().includes(port) && isOfThisMachine(ip)
