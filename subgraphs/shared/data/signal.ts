/** A signal within the process: that something happened, not what; whoever hears it looks into the database. */

export interface Signal {
  emit(): void
  /** @returns a function that ends the listening. */
  listen(listener: () => void): () => void
}

export function createSignal(): Signal {
  const listeners = new Set<() => void>()
  return {
    emit: () => listeners.forEach(listener => listener()),
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
