/** What the status of a response means for a message (SMPP 3.4, 5.1.3): taken, refused for good, or not now. */

import type { ChargeResult } from '#core/charging/charging.ts'
import { statusName } from '../third-party/smpp.ts'

/** `slow`: sent too fast, the same again later. `later`: not now, whoever settles decides when. */
export type Verdict =
  | { readonly outcome: 'taken' | 'slow' | 'later' }
  | Exclude<ChargeResult, { outcome: 'done' }>

const TOO_FAST = ['ESME_RTHROTTLED', 'ESME_RMSGQFUL']

/** The fault is the message centre's, or of the moment. */
const NOT_NOW = ['ESME_RSYSERR', 'ESME_RX_T_APPN', 'ESME_RINVBNDSTS', 'ESME_RUNKNOWNERR']

/** The message centre has a rule against it. */
const AGAINST_RULES = ['ESME_RPROHIBITED', 'ESME_RSERTYPUNAUTH', 'ESME_RSERTYPDENIED', 'ESME_RX_R_APPN']

/** The message could not be carried out, though nothing is wrong with it. */
const NOT_CARRIED_OUT = ['ESME_RSUBMITFAIL', 'ESME_RX_P_APPN', 'ESME_RDELIVERYFAILURE', 'ESME_RSERTYPUNAVAIL']

const TAKEN: Verdict = { outcome: 'taken' }

/** What a status says; one that no list has blames the message. */
export function verdictOf(status: number): Verdict {
  if (status === 0) return TAKEN
  const name = statusName(status)
  const reason = `The message centre refused the message (${name})`
  if (TOO_FAST.includes(name)) return { outcome: 'slow' }
  if (NOT_NOW.includes(name)) return { outcome: 'later' }
  if (AGAINST_RULES.includes(name)) return { outcome: 'declined', reason }
  return { outcome: NOT_CARRIED_OUT.includes(name) ? 'failed' : 'invalid', reason }
}
