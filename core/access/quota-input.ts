/** Quotas as the administrator gives them, as text; each that is wrong is named. */
import { together } from '../errors/faults.ts'
import { QUOTA_NAMES, type Quotas } from './quotas.ts'

export type QuotaTexts = Partial<Record<keyof Quotas, string>>

const MOST = 1_000_000_000

const isQuota = (text: string) => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= MOST

/**
 * The quotas that are given, for the record.
 * @throws ServiceError INVALID_ARGUMENT naming each that is no whole number from 1 to a thousand million.
 */
export function checkQuotas(texts: QuotaTexts): Partial<Quotas> {
  const given = QUOTA_NAMES.filter(name => texts[name] !== undefined)
  together(faults => {
    for (const name of given)
      faults.expect(isQuota(texts[name]!), name, 'BAD_FORMAT', `a whole number from 1 to ${MOST}`)
  })
  return Object.fromEntries(given.map(name => [name, Number(texts[name])]))
}
