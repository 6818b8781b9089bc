/** The contract's money groups in the graph: a flag that was not sent is false, a number is exact. */
import { toDecimal } from '../values/decimal.ts'

interface MoneyParent {
  amount?: number
  isVatIncluded?: boolean
  vatAmount?: number
  isTaxIncluded?: boolean
  taxAmount?: number
}

const exact = (value: number | undefined) => (value === undefined ? null : toDecimal(value))

/** PaymentInformation, PaymentItem, RechargeInformation and RechargeItem (contract: default false). */
export const moneyFields = {
  amount: ({ amount }: MoneyParent) => toDecimal(amount!),
  isVatIncluded: ({ isVatIncluded }: MoneyParent) => isVatIncluded ?? false,
  vatAmount: ({ vatAmount }: MoneyParent) => exact(vatAmount),
  isTaxIncluded: ({ isTaxIncluded }: MoneyParent) => isTaxIncluded ?? false,
  taxAmount: ({ taxAmount }: MoneyParent) => exact(taxAmount),
}

/** PaymentMetaData and RechargeMetaData. */
export const metaDataFields = { fee: ({ fee }: { fee?: number }) => exact(fee) }
