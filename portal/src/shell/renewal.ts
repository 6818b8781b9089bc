/** Parts of the pages that do not load: the build was replaced, so the page is loaded anew, or the server is away. */

const KEY = 'partner-graph:reloaded-at'
/** Shortest time between two reloads by themselves in milliseconds: a page that fails at once would reload for ever. */
const AGAIN_MS = 10_000
/** Longest wait for the server in milliseconds, which may be reached and silent. */
const ANSWER_MS = 5_000

/** A part that did not load and may load later, since the page was not loaded anew. */
export class PartMissing extends Error {
  override readonly name = 'PartMissing'
}

/**
 * Loads the page anew where the server answers: of one that is away the browser would show its own page, and the sign-in of
 * the tab would be gone.
 * @returns once it is known that the page stays.
 */
export async function reloadWhereServed(): Promise<void> {
  const answer = await fetch(location.href, {
    method: 'HEAD',
    cache: 'no-store',
    headers: { accept: 'text/html' },
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => undefined)
  if (!answer?.ok) return
  sessionStorage.setItem(KEY, String(Date.now()))
  location.reload()
  await new Promise(() => undefined)
}

let renewing: Promise<void> | undefined

/** Loads the page anew by itself, once in ten seconds at the most, and likewise where the server answers. */
export const renew = (): Promise<void> => {
  const isRecent = Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < AGAIN_MS
  renewing ??= (isRecent ? Promise.resolve() : reloadWhereServed()).finally(() => {
    renewing = undefined
  })
  return renewing
}

/** Makes a function that loads a page, or a newer build of all pages. @throws PartMissing where neither is to be had. */
export const orRenew =
  <T>(load: () => Promise<T>) =>
  async (): Promise<T> => {
    try {
      return await load()
    } catch (error) {
      await renew()
      // A message of our own: by the browser's the router would load the page anew, whether the server answers or not.
      throw new PartMissing('A part of this page did not load', { cause: error })
    }
  }
