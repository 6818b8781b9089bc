/** A server that does not answer for a while: it is told from one that refuses, and asked again until it answers. */

/** Tells that the server did not answer, or could not: nothing was decided, and asking again may help. */
export class ServerAway extends Error {}

/** Time in milliseconds after which an answer is not waited for any longer. */
const ANSWER_MS = 15_000

/** Sends a request to this server. @throws ServerAway unless it gives an answer that decides something. */
export async function askServer(path: string, request: RequestInit) {
  let response: Response
  try {
    response = await fetch(path, { ...request, signal: AbortSignal.timeout(ANSWER_MS) })
    if (response.status < 500 && response.status !== 429)
      return { status: response.status, body: await response.json() }
  } catch (error) {
    throw new ServerAway(error instanceof Error ? error.message : String(error))
  }
  throw new ServerAway(`The server answered ${response.status}`)
}

const FIRST_PAUSE_MS = 1_000
const MOST_PAUSE_MS = 10_000

/** Functions that end the pauses that are under way. */
const waiting = new Set<() => void>()

/** Ends the pause before the next try. */
export const askAgain = (): void => {
  for (const end of waiting) end()
}

addEventListener('online', askAgain)

const pause = (ms: number) =>
  new Promise<void>(done => {
    const end = () => {
      clearTimeout(timer)
      waiting.delete(end)
      done()
    }
    const timer = setTimeout(end, ms)
    waiting.add(end)
  })

/**
 * The answer of `ask`, which is called again while the server is away.
 * @param onAway is told each time; where it returns false, nobody waits for the answer any more.
 * @throws as `ask` does.
 */
export async function untilAnswered<Answer>(
  ask: () => Promise<Answer>,
  onAway: () => boolean,
): Promise<Answer> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MOST_PAUSE_MS))
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof ServerAway) || !onAway()) throw error
      await pause(pauseMs)
    }
}
