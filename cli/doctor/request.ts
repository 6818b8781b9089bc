/** Requests of `doctor` to a server: limited in time and size, never redirected. */

/** A response with its whole text. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** From the request to the end of the response. */
  readonly ms: number
  /** Middle of that time by the clock of this machine, in milliseconds since 1970. */
  readonly middle: number
}

/** Asks one server. @throws Error saying why no response came. */
export type Ask = (path: string, init?: RequestInit) => Promise<Answer>

/** Most bytes of a response: a page of metrics has far fewer. */
const MAX_BYTES = 16 * 1_024 * 1_024

const readText = async (response: Response): Promise<string> => {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new Error(`the response is larger than ${MAX_BYTES} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text
}

/** The reason of a failed request: undici keeps it inside of a failure that says nothing. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (cause instanceof AggregateError && cause.errors.length > 0) return reasonOf(cause.errors[0])
  return cause instanceof Error ? cause.message || cause.name : error.message
}

/**
 * Makes the function that asks a server.
 * @param ms limit of each request, in milliseconds.
 */
export const askAt =
  (url: URL, ms: number): Ask =>
  async (path, init = {}) => {
    const target = new URL(url.pathname.replace(/\/$/, '') + path, url)
    const [began, at] = [performance.now(), Date.now()]
    try {
      const response = await fetch(target, { redirect: 'manual', ...init, signal: AbortSignal.timeout(ms) })
      const text = await readText(response)
      const took = performance.now() - began
      return { status: response.status, headers: response.headers, text, ms: took, middle: at + took / 2 }
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError'
      throw new Error(isLate ? `no answer came within ${ms / 1_000} s` : reasonOf(error), { cause: error })
    }
  }

/** The JSON of a response; undefined where it is none. */
export const jsonOf = ({ text }: Answer): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
