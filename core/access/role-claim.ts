/** Role of a token of an outside issuer: where the token names it, and what the provider's words mean here. */
import type { JWTPayload } from 'jose'
import { ROLES, type Role } from './principal.ts'

/** Place and meaning of roles, as `AUTH_ROLE_CLAIM` and `AUTH_ROLE_MAP` say. */
export interface RoleClaim {
  /** Name of a claim, or a path with dots: `realm_access.roles`. */
  readonly path: string
  /** Roles by the provider's words; undefined where its words are the roles themselves. */
  readonly map: ReadonlyMap<string, Role> | undefined
}

/** Claim and words of this program's own tokens. */
export const OWN_ROLE_CLAIM: RoleClaim = { path: 'role', map: undefined }

/** Longest list of words in a message. */
const MAX_SHOWN = 120

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Finds a claim by its path. A name may have dots itself (`https://portal.example/roles`, a client of Keycloak's), so that at each
 * step the longest name that is there counts.
 */
const valueAt = (value: unknown, parts: readonly string[]): unknown => {
  if (parts.length === 0) return value
  if (!isObject(value)) return undefined
  for (let length = parts.length; length > 0; length--) {
    const name = parts.slice(0, length).join('.')
    if (Object.hasOwn(value, name)) return valueAt(value[name], parts.slice(length))
  }
  return undefined
}

/** Words of a claim: a list, or a text with spaces between them, as `scope` has (RFC 8693 §4.2). */
const wordsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return value.split(' ').filter(Boolean)
  return Array.isArray(value) ? value.filter(one => typeof one === 'string') : []
}

/** Words as they may stand in a header: neither quotes nor backslashes nor anything beyond ASCII. */
const shown = (words: readonly string[]): string => {
  const text = words.join(', ').replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text
}

const meaningOf = ({ map }: RoleClaim, word: string): Role | undefined =>
  map ? map.get(word) : ROLES.find(role => role === word)

const expectation = ({ map }: RoleClaim): string =>
  map ? `AUTH_ROLE_MAP knows ${shown([...map.keys()])}` : `roles are ${ROLES.join(', ')}`

/**
 * Reads the role. Words that mean nothing here are passed over, since providers put many into a token.
 * @param refuse makes the refusal of a sentence that says what was found.
 */
export function readRole(claims: JWTPayload, claim: RoleClaim, refuse: (message: string) => Error): Role {
  const value = valueAt(claims, claim.path.split('.'))
  if (value === undefined)
    throw refuse(`The token has no claim ${shown([claim.path])}; it has ${shown(Object.keys(claims))}`)
  const words = wordsOf(value)
  const roles = new Set(words.flatMap(word => meaningOf(claim, word) ?? []))
  const [role] = roles
  if (role === undefined)
    throw refuse(
      `The claim ${shown([claim.path])} names no role: it has ${shown(words) || 'no words'}, and ${expectation(claim)}`,
    )
  if (roles.size > 1)
    throw refuse(
      `The claim ${shown([claim.path])} must name one role: it has ${shown(words)}, which mean ${[...roles].join(', ')}`,
    )
  return role
}
