/**
 * Names reserved for documentation and tests (RFC 2606) lead nowhere, and no name server is queried: one that is slow
 * would hold up the look-ups of every other test of its process.
 */
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'

type Callback = (error: NodeJS.ErrnoException) => void

const RESERVED = /\.(example|invalid|test)$/
const { lookup } = dns

const notFound = (hostname: string) =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND', hostname })

const withoutReserved = (hostname: string, ...rest: [...unknown[], Callback]): void => {
  if (RESERVED.test(hostname)) setImmediate(rest.at(-1) as Callback, notFound(hostname))
  else (lookup as (...given: unknown[]) => void)(hostname, ...rest)
}

dns.lookup = Object.assign(withoutReserved, lookup) as never
syncBuiltinESMExports()
