/** Declarations that libphonenumber-js lacks. */
import { Metadata } from 'libphonenumber-js/max'

interface NumberingPlan {
  /** The lengths of national numbers, in digits. */
  possibleLengths(): number[]
  type(name: 'MOBILE' | 'FIXED_LINE'): NumberingPlan | undefined
}

type AnyMetadata = { selectNumberingPlan(callingCode: string): void; readonly numberingPlan: NumberingPlan }

/**
 * The numbering plan of a calling code such as `968`. The library's declarations select plans by country alone, and lack
 * the types of numbers.
 * @throws Error for a calling code that does not exist.
 */
export const numberingPlanOf = (callingCode: string): NumberingPlan => {
  const metadata = new Metadata() as unknown as AnyMetadata
  metadata.selectNumberingPlan(callingCode)
  return metadata.numberingPlan
}
