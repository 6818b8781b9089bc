/** One attack on a probed server: what it did to everyone else, tried again where the machine may have been at fault. */
import { note } from './figures.ts'
import type { ProbedServer } from './probed-server.ts'

/** The longest that one request may keep everyone waiting. */
export const MAX_DELAY_MS = 250
/** A pause of the machine does not come three times in a row; a quadratic loop does. */
const TRIES = 3
/** No pause of the machine lasts so long: there is nothing to try again. */
const CERTAIN_MS = 1_000
/** How long anything may take to be answered, whatever it is. */
const MAX_ANSWER_MS = 15_000

export interface Attacked {
  /** The longest event-loop delay, at its best of the tries. */
  readonly delayMs: number
  readonly status: number
  readonly text: string
}

export interface Request {
  readonly method?: string
  readonly path?: string
  readonly token?: string
  readonly headers?: Record<string, string>
  readonly raw?: string
}

/** Sends one request and reads the whole response. */
export async function ask(address: string, request: Request): Promise<{ status: number; text: string }> {
  const { method = 'POST', path = '/graphql', token, headers, raw } = request
  const response = await fetch(address + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: raw,
    signal: AbortSignal.timeout(MAX_ANSWER_MS),
  })
  return { status: response.status, text: await response.text() }
}

/** Delay by the server's own work; a machine that is busy with others cannot be distinguished from it by the clock alone. */
const delayOf = async (server: ProbedServer): Promise<number> => {
  const { delayMs, cpuMs } = await server.probe()
  return Math.min(delayMs, cpuMs)
}

/** Does something to a server, and says how long it held up the rest. */
export async function measure<T>(server: ProbedServer, run: () => Promise<T>): Promise<[delayMs: number, T]> {
  await server.probe()
  const result = await run()
  return [await delayOf(server), result]
}

const heldUp = (what: string, delayMs: number) =>
  Object.assign(new Error(`${what}: the event loop was held up for ${Math.round(delayMs)} ms`), { delayMs })

const isFault = (status: number) => status >= 500 && status !== 503

/**
 * Sends a request up to three times.
 * @throws Error when it held up the loop too long each time, was answered with 5xx but 503, or logged at level error.
 */
export async function attack(server: ProbedServer, what: string, request: Request): Promise<Attacked> {
  let best = Number.POSITIVE_INFINITY
  let answer = { status: 0, text: '' }
  for (let tried = 0; tried < TRIES && best > MAX_DELAY_MS; tried++) {
    const [delayMs, answered] = await measure(server, () => ask(server.address, request)).catch(error => {
      throw new Error(`${what}: ${error.message}`)
    })
    best = Math.min(best, delayMs)
    answer = answered
    if (best > CERTAIN_MS) break
  }
  const errors = server.errors.splice(0)
  if (best > MAX_DELAY_MS) throw heldUp(what, best)
  if (isFault(answer.status)) throw new Error(`${what}: ${answer.status} ${answer.text.slice(0, 200)}`)
  if (errors.length > 0) throw new Error(`${what}: error in the log: ${errors[0]!.slice(0, 300)}`)
  return { ...answer, delayMs: best }
}

/** Runs many attacks, one after the other, and records them as one row. @throws Error naming each that went wrong. */
export async function attackAll(
  server: ProbedServer,
  what: string,
  attacks: readonly (readonly [what: string, request: Request])[],
): Promise<void> {
  const wrong: string[] = []
  let delayMs = 0
  for (const [name, request] of attacks) {
    const done = await attack(server, name, request).catch(error => {
      wrong.push(String(error.message))
      return error as { delayMs?: number }
    })
    delayMs = Math.max(delayMs, done.delayMs ?? 0)
    if (server.hasEnded()) break
  }
  note({ part: 'attack', what, cases: attacks.length, faults: wrong.length, delayMs })
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
}
