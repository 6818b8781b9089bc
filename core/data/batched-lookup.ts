/** Look-ups of concurrent requests share statements: most of what a look-up costs is its round trip. */
import DataLoader from 'dataloader'
import type { SharedKey } from '../async/single-flight.ts'
import { isRefusedInput } from './database-errors.ts'

/** Reads the values of many keys, in the keys' order. */
export type ReadMany<Key, Value> = (keys: readonly Key[]) => Promise<readonly Value[]>

let due: (() => void)[] = []

/** Starts the reads of one turn at the same moment, so that their statements are pipelined. */
const readSoon = (read: () => void): void => {
  if (due.push(read) > 1) return
  setImmediate(() => {
    const reads = due
    due = []
    for (const one of reads) one()
  })
}

/** Reads the keys one by one, where one of them may be refused: it must not refuse the others. */
const readOneByOne = <Key, Value>(read: ReadMany<Key, Value>, keys: readonly Key[]) =>
  Promise.all(
    keys.map(key =>
      read([key]).then(
        ([value]) => value as Value,
        error => error as Error,
      ),
    ),
  )

/** The values of one group, or the errors in their places. */
const readGroup = async <Key, Value>(
  read: ReadMany<Key, Value>,
  keys: readonly Key[],
): Promise<readonly (Value | Error)[]> => {
  try {
    return await read(keys)
  } catch (error) {
    return keys.length > 1 && isRefusedInput(error)
      ? readOneByOne(read, keys)
      : keys.map(() => error as Error)
  }
}

/**
 * Makes a look-up of one key that is batched with all others of the same turn of the event loop. Nothing is cached:
 * each value is as fresh as from a statement of its own.
 * @param groupOf the group of a key, where one statement cannot read all keys; groups neither wait for each other nor fail
 * together. Absent where the key alone decides the statement: the caller of the look-up then checks who may see the value.
 */
export function batchedLookup<Key, Value>(
  read: ReadMany<Key, Value>,
  groupOf?: (key: Key) => SharedKey,
): (key: Key) => Promise<Value> {
  const readAll = async (keys: readonly Key[]) => {
    const groups = [...Map.groupBy(keys.keys(), index => groupOf?.(keys[index]!)).values()]
    const results = new Array<Value | Error>(keys.length)
    const readInto = async (group: number[]) => {
      const values = await readGroup(
        read,
        group.map(index => keys[index]!),
      )
      group.forEach((index, at) => {
        results[index] = values[at]!
      })
    }
    await Promise.all(groups.map(readInto))
    return results
  }
  const loader = new DataLoader(readAll, { cache: false, batchScheduleFn: readSoon })
  return key => loader.load(key)
}
