/** Runs generated cases one after the other: each must be answered without a fault, without an error in the log, and leave no memory behind. */
import fc from 'fast-check'
import { createDraw, type Draw } from './draw.ts'
import { note } from './figures.ts'
import { casesOf, KEEP_GOING, REPLAY, SEED } from './form.ts'
import { heapMiB } from './memory.ts'

export interface Fuzz<Case> {
  readonly what: string
  /** How many in the long form. */
  readonly long: number
  make(draw: Draw): Case
  /** Sends it and says what is wrong with the response. */
  send(made: Case): Promise<string[]>
  /** Lines that the log has gained at level error, and where they go. */
  readonly logLines: string[]
}

/** Growth of the heap that a run may leave: caches that fill, with room for those of a whole run. */
const MAX_GROWTH_MIB = 64

/** A kind of fault, without what differs from case to case. */
const kindOf = (fault: string) => fault.replace(/[0-9a-f]{8,}|\d+/g, '#').slice(0, 160)

const faultsOf = async <Case>({ send, logLines }: Fuzz<Case>, made: Case): Promise<string[]> => {
  const faults = await send(made)
  return [...faults, ...logLines.splice(0).map(line => `error in the log: ${line.slice(0, 600)}`)]
}

/** A token as the client that it is of, and a run of one character as its length. */
const readable = (text: string) =>
  text
    .replace(/Bearer [\w-]+\.([\w-]+)\.[\w-]+/g, (_, claims) => {
      const found = /"client_id":"([^"]+)/.exec(Buffer.from(claims, 'base64url').toString())
      return `Bearer <${found?.[1] ?? 'no client'}>`
    })
    .replace(/(.)\1{39,}/g, (run, one) => `${one}<${run.length} times>`)

const show = (made: unknown) => {
  const text = readable(JSON.stringify(made))
  return text.length > 3_000 ? `${text.slice(0, 3_000)}… (${text.length} characters)` : text
}

/** @throws Error with the seed, the path and the case of the first fault, or with the first of each kind. */
export async function fuzz<Case>(one: Fuzz<Case>): Promise<void> {
  const kinds = new Map<string, string>()
  const cases = casesOf(one.long)
  let tried = 0
  let before = 0
  const property = fc.asyncProperty(fc.gen(), async gen => {
    tried += 1
    // By then the caches, each of which is bounded, are nearly full.
    if (tried === Math.ceil(cases / 2)) before = heapMiB()
    const made = one.make(createDraw(gen))
    const faults = await faultsOf(one, made)
    if (faults.length === 0) return
    const said = `${faults.join('; ')}\n${show(made)}`
    kinds.set(kindOf(faults[0]!), kinds.get(kindOf(faults[0]!)) ?? said)
    if (!KEEP_GOING) throw new Error(said)
  })
  const result = await fc.check(property, { numRuns: cases, seed: SEED, path: REPLAY, endOnFailure: true })
  const after = heapMiB()
  note({ part: 'fuzz', what: one.what, cases: tried, faults: kinds.size, heapMiB: [before, after] })
  if (result.failed) {
    const said = (result.errorInstance as Error).message
    throw new Error(`SECURITY_SEED=${result.seed} SECURITY_PATH=${result.counterexamplePath} ${said}`)
  }
  if (kinds.size > 0) throw new Error([...kinds.values()].join('\n\n'))
  if (after - before > MAX_GROWTH_MIB)
    throw new Error(`the heap has grown from ${before} to ${after} MiB over ${cases} cases`)
}
