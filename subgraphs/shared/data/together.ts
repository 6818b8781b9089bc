/** Look-ups of requests that are served at the same time, as one statement: half of what posting cost was asking one by one. */
import DataLoader from 'dataloader'

/** Reads the values of many keys; those without one are absent. */
export type ReadMany<Value> = (keys: readonly string[]) => Promise<Map<string, Value>>

/**
 * Finds one value, together with whatever else is asked for in the same turn of the event loop. Nothing is kept:
 * each answer is as fresh as a statement of its own would be.
 */
export function together<Value>(read: ReadMany<Value>): (key: string) => Promise<Value | undefined> {
  const loader = new DataLoader<string, Value | undefined>(
    async keys => {
      const found = await read([...new Set(keys)])
      return keys.map(key => found.get(key))
    },
    { cache: false, batchScheduleFn: run => void setImmediate(run) },
  )
  return key => loader.load(key)
}
