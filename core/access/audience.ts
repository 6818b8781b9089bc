/** Audiences: which clients may be told the same, so that work done for one of them may serve the others. */
import type { Audience } from '../async/single-flight.ts'
import type { Principal } from './principal.ts'
import { visibleRows } from './visibility.ts'

/** The parts of a principal that decide what the client is told. */
type Identity = Pick<Principal, 'clientId' | 'role' | 'phoneNumber'>

/** JSON has no line breaks of its own. */
const toAudience = (parts: readonly (string | undefined)[]): Audience => JSON.stringify(parts) as Audience

const sights = new WeakMap<Identity, Audience>()

/**
 * The clients who see the same transactions (`visibleRows`), the same subscribers and customers (which the bound number
 * decides), and the same fields (which the role decides). They are told the same of an entity and of an event.
 */
export const audienceOf = (principal: Identity): Audience => {
  const known = sights.get(principal)
  if (known) return known
  const { role, phoneNumber } = principal
  const { clientId, mobileNumber } = visibleRows(principal)
  const audience = toAudience([role, phoneNumber, clientId, mobileNumber])
  sights.set(principal, audience)
  return audience
}

/** One client alone: a root field may be about the client itself, as `me` is. */
export const clientAlone = ({ role, phoneNumber, clientId }: Identity): Audience =>
  toAudience(['alone', role, phoneNumber, clientId])
