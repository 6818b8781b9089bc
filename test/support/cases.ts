/** Cases of the long tests, which try generated ones by the thousand, and all that the documents name. */

const SHARE = process.env['LONG_CASES'] === 'ci' ? 4 : 1

/** Number of cases to try: so many, or a fourth of them with `LONG_CASES=ci`. */
export const casesOf = (count: number): number => Math.ceil(count / SHARE)

/** Cases to try: all of a list, or every fourth with `LONG_CASES=ci`. */
export const someOf = <Case>(cases: readonly Case[]): Case[] =>
  cases.filter((_, index) => index % SHARE === 0)
