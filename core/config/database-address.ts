/**
 * The address of PostgreSQL with several hosts, in libpq's form (PostgreSQL documentation, 34.1.1.2 and 34.1.1.3). The driver
 * knows one host alone, and no `target_session_attrs`.
 */

import { SetupError } from '../errors/catalogue.ts'

const TARGETS = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const

/** The kind of server, or of session, that a connection is for, by libpq's names. */
export type TargetSession = (typeof TARGETS)[number]

/** A server; what is left out is the driver's default. */
export interface DatabaseHost {
  readonly host: string
  readonly port: number | undefined
}

/** Port of PostgreSQL where an address names none. */
export const DEFAULT_PORT = 5_432

/** An address of PostgreSQL. */
export interface DatabaseAddress {
  /** In the order in which they are tried; at least one. */
  readonly hosts: readonly DatabaseHost[]
  readonly target: TargetSession
  /** Whether each connection tries them in an order of its own. */
  readonly isShuffled: boolean
  /** The address as the driver reads it, of the first host. */
  readonly first: string
}

/** An address, or the clause that says how it must be written. */
type ReadAddress = DatabaseAddress | { readonly fault: string }

const SCHEME = /^postgres(?:ql)?:\/\//i
const HOST = /^(\[[\da-f:.%]+\]|[^\s:[\]]*)(?::(\d{0,5}))?$/i

const NO_ADDRESS = { fault: 'a postgresql:// address (unset for the embedded database)' }

const portOf = (text: string | undefined): number | undefined => (text ? Number(text) : undefined)
const isPort = (port: number | undefined) => port === undefined || (port >= 1 && port <= 65_535)

/** Hosts by the authority of the address, or by the parameters `host` and `port`, which go before. */
const readHosts = (authority: string, query: URLSearchParams): DatabaseHost[] | undefined => {
  const parts = authority.split(',').map(part => HOST.exec(part))
  if (parts.some(part => !part)) return undefined
  const names = query.get('host')?.split(',') ?? parts.map(part => decodeURIComponent(part![1]!))
  const ports = query.get('port')?.split(',').map(portOf) ?? parts.map(part => portOf(part![2]))
  // As by libpq, `port=` alone is the port of all; one that stands after the last host is that host's.
  if (ports.length > 1 && ports.length !== names.length) return undefined
  const hosts = names.map((name, at) => ({
    host: name.replace(/^\[(.*)\]$/, '$1'),
    port: ports.length === 1 ? ports[0] : ports[at],
  }))
  const isWhole = hosts.every(({ host, port }) => (hosts.length === 1 || host !== '') && isPort(port))
  return isWhole ? hosts : undefined
}

const OWN_PARAMETERS = ['target_session_attrs', 'load_balance_hosts']

/** The part of an address that names the first host. */
const firstOf = (hosts: readonly DatabaseHost[], authority: string, query: URLSearchParams): string => {
  if (hosts.length === 1) return authority
  query.delete('host')
  query.delete('port')
  const { host, port } = hosts[0]!
  // A folder of sockets is no name of a host.
  if (host.startsWith('/')) query.set('host', host)
  const bracketed = host.includes(':') ? `[${host}]` : encodeURIComponent(host)
  const name = host.startsWith('/') ? 'localhost' : bracketed
  return port === undefined ? name : `${name}:${port}`
}

/** Parts an address: all before the hosts, the hosts, the database, and the parameters. */
const partsOf = (text: string, schemeLength: number) => {
  const question = text.indexOf('?')
  const whole = question < 0 ? text : text.slice(0, question)
  const slash = whole.indexOf('/', schemeLength)
  const end = slash < 0 ? whole.length : slash
  const begin = Math.max(whole.lastIndexOf('@', end) + 1, schemeLength)
  return {
    before: whole.slice(0, begin),
    authority: whole.slice(begin, end),
    path: whole.slice(end),
    query: new URLSearchParams(question < 0 ? '' : text.slice(question + 1)),
  }
}

/** Reads an address of PostgreSQL. */
export function readDatabaseAddress(text: string): ReadAddress {
  const scheme = SCHEME.exec(text)?.[0]
  if (scheme === undefined || text.includes('#')) return NO_ADDRESS
  const { before, authority, path, query } = partsOf(text, scheme.length)
  const hosts = readHosts(authority, query)
  if (!hosts)
    return { fault: 'a postgresql:// address whose hosts stand as host:port,host:port (IPv6 in brackets)' }
  const target = (query.get('target_session_attrs') ?? 'any') as TargetSession
  if (!TARGETS.includes(target))
    return { fault: `an address whose target_session_attrs is one of ${TARGETS.join(', ')}` }
  const balance = query.get('load_balance_hosts') ?? 'disable'
  if (!['disable', 'random'].includes(balance))
    return { fault: 'an address whose load_balance_hosts is disable or random' }
  const isPlain = hosts.length === 1 && !OWN_PARAMETERS.some(name => query.has(name))
  for (const name of OWN_PARAMETERS) query.delete(name)
  const place = firstOf(hosts, authority, query)
  const first = isPlain ? text : `${before}${place}${path}${query.size > 0 ? `?${query}` : ''}`
  if (place !== '' && !URL.canParse(first)) return NO_ADDRESS
  return { hosts, target, isShuffled: balance === 'random', first }
}

/** Reads an address. @throws SetupError where it has a fault, which the start reports for those of settings. */
export function databaseAddress(text: string): DatabaseAddress {
  const address = readDatabaseAddress(text)
  if ('fault' in address) throw new SetupError(`The address of the database must be ${address.fault}`)
  return address
}

/** The server of an address as an operator writes it. */
export const hostText = ({ host, port }: DatabaseHost): string =>
  `${host.includes(':') ? `[${host}]` : host || 'localhost'}${port === undefined ? '' : `:${port}`}`

const WRITING: readonly TargetSession[] = ['read-write', 'primary']

/** Whether its connections are for writing, so that a server that only reads is none for them. */
export const isForWriting = ({ target }: DatabaseAddress): boolean => WRITING.includes(target)

/**
 * The address for a process that only reads: its sessions take no writes by their own setting, so that none of them would
 * ever be one for reading and writing. The primary is meant.
 */
export const forReading = (text: string): string =>
  text.replace(/(?<=[?&])target_session_attrs=read-write\b/, 'target_session_attrs=primary')

/** The servers of an address, for other settings; none where there is no address. */
export const databasePlaces = (text: string | undefined): { host: string; port: number }[] => {
  const address = text === undefined ? undefined : readDatabaseAddress(text)
  if (!address || 'fault' in address) return []
  return address.hosts
    .filter(({ host }) => host !== '')
    .map(({ host, port = DEFAULT_PORT }) => ({ host, port }))
}

/** A fault that an address has for a process, as a clause; undefined where it has none. */
export function addressFault(text: string, readOnly: boolean): string | undefined {
  const address = readDatabaseAddress(text)
  if ('fault' in address) return address.fault
  if (!readOnly && !isForWriting(address) && (address.hosts.length > 1 || address.target !== 'any'))
    return 'an address with target_session_attrs=read-write: this process writes (READ_ONLY=1 for one that only reads)'
  return undefined
}
