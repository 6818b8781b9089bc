/** Where the declarations of libphonenumber-js say less than what it does. */
import { Metadata } from 'libphonenumber-js/max'

interface NumberingPlan {
  /** The lengths of national numbers, in digits. */
  possibleLengths(): number[]
  type(name: 'MOBILE' | 'FIXED_LINE'): NumberingPlan | undefined
}

type AnyMetadata = { selectNumberingPlan(callingCode: string): void; readonly numberingPlan: NumberingPlan }

/**
 * The plan of a calling code such as `968`. Plans are declared to be chosen by country alone, and without the numbers'
 * types. Throws for a calling code that does not exist.
 */
export const numberingPlanOf = (callingCode: string): NumberingPlan => {
  const metadata = new Metadata() as unknown as AnyMetadata
  metadata.selectNumberingPlan(callingCode)
  return metadata.numberingPlan
}
