/** Visibility: who sees the same of the graph, so that what is read for one may be given to the other. */
import type { Principal } from '../../subgraphs/shared/access/principal.ts'
import { visibleRows } from '../../subgraphs/shared/access/visibility.ts'

/**
 * Equal for those who see the same transactions (`visibleRows`), the same subscribers and customers (which the bound
 * number decides), and the same fields (which the role decides).
 */
export const entitlement = (principal: Principal) => {
  const { clientId, mobileNumber } = visibleRows(principal)
  return [principal.role, clientId, mobileNumber, principal.phoneNumber]
}
