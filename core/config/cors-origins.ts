/** From which origins browsers may call (`CORS_ORIGINS`): origins, those of any port (`http://localhost:*`), or all (`*`). */

/** On a demo: pages that a developer serves on the same machine. */
export const DEMO_ORIGINS = 'http://localhost:*,http://127.0.0.1:*'

/** The origins that may call; browsers send theirs as RFC 6454 §6.2 writes it. */
export interface CorsOrigins {
  /** Whether there are none, so that nothing has to be said to browsers. */
  readonly none: boolean
  /** Whether every origin may call. */
  readonly all: boolean
  allows(origin: string): boolean
}

const ANY_PORT = /:\*$/
const ENTRY = /^https?:\/\/(\[[\da-f:.]+\]|[^\s/?#@:[\]*]+)(:\d{1,5}|:\*)?$/i

const isOrigin = (entry: string): boolean =>
  entry === '*' || (ENTRY.test(entry) && URL.canParse(entry.replace(ANY_PORT, '')))

const WHAT = '* or origins such as https://portal.test or http://localhost:*, comma-separated'

/** What is wrong with a list, entry by entry. */
export const faultsOfOrigins = (entries: readonly string[]): string[] =>
  entries
    .filter(entry => !isOrigin(entry))
    .map(entry => `CORS_ORIGINS must be ${WHAT}: ${JSON.stringify(entry)} is neither`)

const withoutPort = ({ protocol, hostname }: URL): string => `${protocol}//${hostname}`

/** Reads the entries that have no fault. */
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
