/** The window of a bind: how many requests may wait for their responses at once. */

export interface Window {
  readonly size: number
  /** How many wait for their responses at the moment. */
  readonly outstanding: number
  readonly isFull: boolean
  /** Takes a place; whoever has it calls what is returned once, when the response has come or will not. */
  take(): () => void
}

/** @param onFree called whenever a place has become free. */
export function createWindow(size: number, onFree: () => void): Window {
  let outstanding = 0
  return {
    size,
    get outstanding() {
      return outstanding
    },
    get isFull() {
      return outstanding >= size
    },
    take() {
      if (outstanding >= size) throw new Error('the window is full')
      outstanding++
      let taken = true
      return () => {
        if (!taken) return
        taken = false
        outstanding--
        onFree()
      }
    },
  }
}
