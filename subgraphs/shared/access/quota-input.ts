/** Quotas as the administrator gives them, as text; each that is wrong is named. */
import { invalid } from '../errors/catalogue.ts'
import { QUOTA_NAMES, type Quotas } from './quotas.ts'

export type QuotaTexts = Partial<Record<keyof Quotas, string>>

const MOST = 1_000_000_000

const isQuota = (text: string) => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= MOST

/**
 * The quotas that are given, for the record.
 * @throws ServiceError INVALID_ARGUMENT naming all that are not whole numbers from 1 to a thousand million.
 */
export function checkQuotas(texts: QuotaTexts): Partial<Quotas> {
  const given = QUOTA_NAMES.filter(name => texts[name] !== undefined)
  const wrong = given.filter(name => !isQuota(texts[name]!))
  if (wrong.length > 0) throw invalid(`${wrong.join(', ')} must be whole numbers from 1 to ${MOST}`)
  return Object.fromEntries(given.map(name => [name, Number(texts[name])]))
}
