/** How much is tried: a little with `npm test`, a fifth in CI, everything by `npm run test:security`. */

const SHARES: Record<string, number> = { bounded: 0.01, ci: 0.1, long: 1 }

/** `SECURITY_CASES`: bounded, ci or long. */
export const FORM: string = process.env['SECURITY_CASES'] ?? 'bounded'

const share = SHARES[FORM]
if (share === undefined) throw new Error(`SECURITY_CASES must be one of ${Object.keys(SHARES).join(', ')}`)

/** Whether everything is tried, also what takes minutes. */
export const LONG: boolean = FORM === 'long'

/** How many of so many cases this form tries. */
export const casesOf = (long: number): number => Math.ceil(long * share)

/** A sample of a list: every n-th, beginning at a place that the seed decides. */
export const sampleOf = <T>(list: readonly T[], atLeast: number): T[] => {
  const step = Math.max(1, Math.floor(list.length / Math.max(atLeast, list.length * share)))
  return list.filter((_, index) => index % step === SEED % step)
}

/** `SECURITY_SEED`: the same seed tries the same cases. */
export const SEED: number = Number(process.env['SECURITY_SEED'] ?? 20261122)

/** `SECURITY_PATH`: the path that a failed run printed, to try that case alone. */
export const REPLAY: string | undefined = process.env['SECURITY_PATH']

/** `SECURITY_KEEP_GOING=1`: tries every case, and says of each kind of fault the first. */
export const KEEP_GOING: boolean = process.env['SECURITY_KEEP_GOING'] === '1'
