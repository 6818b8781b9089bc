/** RechargeInfo's two forms, nested as declared and flat as in the examples (contract document 2), read as one. */
import { differentForms, missingField, nothingToPost } from './errors.ts'
import type { RechargeInfo, RechargeInformation } from './rest.generated.ts'

const FIELDS = [
  'amount',
  'currency',
  'description',
  'isVatIncluded',
  'vatAmount',
  'isTaxIncluded',
  'taxAmount',
] as const

const REQUIRED = ['currency', 'description'] as const

/** What a flag that is not given means (contract: default false). */
const DEFAULTS: Partial<RechargeInformation> = { isVatIncluded: false, isTaxIncluded: false }

/** The information of a recharge that was checked, whichever form it came in. */
export const informationOf = (info: RechargeInfo): RechargeInformation =>
  info.rechargeInformation ??
  (Object.fromEntries(
    FIELDS.filter(name => info[name] !== undefined).map(name => [name, info[name]]),
  ) as unknown as RechargeInformation)

/** What stands in both forms must be the same; what one of them leaves out contradicts nothing. */
const checkAgreement = (path: string, info: RechargeInfo, nested: RechargeInformation) => {
  const differs = FIELDS.find(
    name => info[name] !== undefined && info[name] !== (nested[name] ?? DEFAULTS[name]),
  )
  if (differs) throw differentForms(`${path}.${differs}`, `${path}.rechargeInformation.${differs}`)
}

/**
 * The information with the path of the form it came in.
 * @throws ServiceError INVALID_ARGUMENT when neither form holds an amount, or the two differ.
 */
export function readInformation(
  path: string,
  info: RechargeInfo | undefined,
): { path: string; information: RechargeInformation } {
  if (info?.rechargeInformation) {
    checkAgreement(path, info, info.rechargeInformation)
    return { path: `${path}.rechargeInformation`, information: info.rechargeInformation }
  }
  if (info?.amount === undefined) throw nothingToPost(path)
  const missing = REQUIRED.find(name => info[name] === undefined)
  if (missing) throw missingField(`${path}.${missing}`)
  return { path, information: informationOf(info) }
}
