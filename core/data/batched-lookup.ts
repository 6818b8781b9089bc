/** Shares statements among the look-ups of concurrent requests, since most of a look-up's cost is its round trip. */
import { AsyncLocalStorage } from 'node:async_hooks'
import DataLoader from 'dataloader'
import type { SharedKey } from '../async/single-flight.ts'
import { currentSink, type StatementSink, sharedSink, withSink } from '../observability/explanation.ts'
import { asReading, currentFacts, isReading, type RequestFacts } from '../observability/request-facts.ts'
import { type TraceSpan, type Tracing, tracing } from '../observability/tracing.ts'
import { isRefusedInput } from './database-errors.ts'

/** Reads the values of many keys, in the keys' order. */
export type ReadMany<Key, Value> = (keys: readonly Key[]) => Promise<readonly Value[]>

/** Reads that start when the present turn of the event loop ends. */
let scheduled: (() => void)[] = []

/** Runs work outside the context of the calling request, since a batch belongs to several requests. */
const runOutsideRequest = AsyncLocalStorage.snapshot()

/** Starts the reads of one turn at the same moment, so that their statements are pipelined. */
const scheduleRead = (read: () => void): void => {
  if (scheduled.push(read) > 1) return
  runOutsideRequest(setImmediate, () => {
    const reads = scheduled
    scheduled = []
    for (const start of reads) start()
  })
}

/** Reads each key by a statement of its own, so that a key that the database refuses fails alone. */
const readSeparately = <Key, Value>(read: ReadMany<Key, Value>, keys: readonly Key[]) =>
  Promise.all(
    keys.map(key =>
      read([key]).then(
        ([value]) => value as Value,
        error => error as Error,
      ),
    ),
  )

/** Reads one group; an error stands in the place of each value that could not be read. */
const readGroup = async <Key, Value>(
  read: ReadMany<Key, Value>,
  keys: readonly Key[],
): Promise<readonly (Value | Error)[]> => {
  try {
    return await read(keys)
  } catch (error) {
    return keys.length > 1 && isRefusedInput(error)
      ? readSeparately(read, keys)
      : keys.map(() => error as Error)
  }
}

/**
 * Makes a look-up of one key that is batched with all others of the same turn of the event loop. Nothing is cached:
 * each value is as fresh as from a statement of its own.
 * @param groupOf the group of a key, where one statement cannot read all keys. Groups neither wait for each other nor fail
 * together. Without it one statement reads the keys of all clients: the function that calls the look-up then has to check
 * whether its client may see the value.
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
  /** Requests that wait for the next batch, each once for each of its keys. */
  let waiting: RequestFacts[] = []
  /** Whether all of them only read. */
  let areReading = true
  /** Their spans; undefined for a request that is not traced. */
  let spans: (TraceSpan | undefined)[] = []
  /** Explanations of these requests, in which the statements of the batch are recorded. */
  let explained = new Set<StatementSink>()
  /** Reads within the span of the only request; a batch of several requests has a span of its own that links to each. */
  const readTraced = (traces: Tracing, keys: readonly Key[]) => {
    const [only, ...others] = new Set(spans)
    const shares = [only, ...others].map(origin => ({ origin }))
    spans = []
    return others.length === 0
      ? traces.within(only ?? null, () => readAll(keys))
      : traces.together('shared look-up', shares, () => readAll(keys))
  }
  const readTimed = async (keys: readonly Key[]) => {
    const requests = waiting
    waiting = []
    const readFrom = () => (tracing ? readTraced(tracing, keys) : readAll(keys))
    const read = areReading ? () => asReading(readFrom) : readFrom
    areReading = true
    const sinks = explained
    if (sinks.size > 0) explained = new Set()
    try {
      return await (sinks.size > 0 ? withSink(sharedSink(sinks, new Set(requests).size), read) : read())
    } finally {
      for (const { database } of requests) database.end()
    }
  }
  const loader = new DataLoader(readTimed, { cache: false, batchScheduleFn: scheduleRead })
  return key => {
    const facts = currentFacts()
    areReading &&= isReading(facts)
    if (facts) {
      facts.database.begin()
      waiting.push(facts)
    }
    const sink = currentSink()
    if (sink) explained.add(sink)
    if (tracing) spans.push(tracing.current())
    return loader.load(key)
  }
}
