/** Numbers of cases of the long tests, which try generated ones by the thousand. */

const SHARE = 4

/** Number of cases to try: so many, or a fourth of them with `LONG_CASES=ci`. */
export const casesOf = (count: number): number =>
  process.env['LONG_CASES'] === 'ci' ? Math.ceil(count / SHARE) : count
