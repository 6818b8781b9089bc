/** Tries again of what a fault has stopped. */
import { setTimeout as delay } from 'node:timers/promises'

const TRIES = 5
const PAUSE_MS = 2_000

/** Does something again where it has failed, as an operator would. @throws Error what the last try has met. */
export async function again(act: () => Promise<void>, pauseMs = PAUSE_MS): Promise<void> {
  for (let left = TRIES; ; left--)
    try {
      return await act()
    } catch (error) {
      if (left === 1) throw error
      await delay(pauseMs)
    }
}
