/** Who sees the same of the graph: what is read for one may be given to the other. */
import type { Principal } from '../subgraphs/shared/access/principal.ts'
import { visibleClient } from '../subgraphs/shared/caller.ts'

/** Equal for those with the same role, the same clients' transactions and the same bound number. */
export const entitlement = (principal: Principal) => [
  principal.role,
  visibleClient({ principal }),
  principal.phoneNumber,
]
