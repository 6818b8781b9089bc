/** Directories of any size: two phone lines an account. */

const line = (index: number) => ({
  kind: 'phone',
  number: `968${91_000_000 + index}`,
  prepaidBalance: 1.5,
  pointsBalance: index,
})

const account = (index: number) => ({
  customerAccountNumber: `${500_000 + index}`,
  customerName: `Customer ${index}`,
  customerStatus: 'ACTIVE',
  customerType: 14,
  acctCategory: 'residential',
  collectionIndicator: 'ACCOUNT NOT IN COLLECTIONS',
  custAddr1: `Way ${index}`,
  custAddr2: 'Al Khuwair',
  custAddr3: 'Muscat',
  totalDues: index / 8,
  lines: [line(2 * index), line(2 * index + 1)],
})

/** Accounts with this many lines together. */
export const generateAccounts = (lines: number) =>
  Array.from({ length: lines / 2 }, (_, index) => account(index))
