/** Clients that take responses in parts, by their `Accept` header. */
import { LRUCache } from 'lru-cache'

/** Version of the format in which parts are written, as Apollo Client and Apollo Router name it. */
export const DEFER_SPEC = '20220824'

const PARTS_TYPE = 'multipart/mixed'

/** Parameters that name another protocol over the same type. */
const FOREIGN = ['incrementalspec', 'subscriptionspec']

const unquoted = (value = ''): string => value.replaceAll('"', '')

const takesEntry = (entry: string): boolean => {
  const [type, ...rest] = entry.split(';').map(part => part.trim())
  if (type !== PARTS_TYPE) return false
  const parameters = new Map(rest.map(one => one.split('=', 2).map(part => part.trim()) as [string, string]))
  const spec = parameters.get('deferspec')
  if (spec === undefined ? FOREIGN.some(name => parameters.has(name)) : unquoted(spec) !== DEFER_SPEC)
    return false
  return Number(parameters.get('q') ?? 1) > 0
}

/** Answers by header: few are in use at a time. */
const known = new LRUCache<string, boolean>({ max: 100 })

/**
 * Whether a client takes a response in parts: it names `multipart/mixed` with `deferSpec=20220824`, or without a version, as
 * urql does.
 */
export const takesParts = (accept: string | undefined): boolean => {
  if (!accept?.includes('ultipart')) return false
  const found = known.get(accept) ?? accept.toLowerCase().split(',').some(takesEntry)
  known.set(accept, found)
  return found
}
