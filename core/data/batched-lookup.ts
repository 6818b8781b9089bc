/** Shares statements among the look-ups of concurrent requests, since most of a look-up's cost is its round trip. */
import { AsyncLocalStorage } from 'node:async_hooks'
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

/** Look-ups that wait for the end of the turn, and the requests that they belong to. */
class Batch<Key, Value> {
  readonly keys: Key[] = []
  readonly outcomes: PromiseWithResolvers<Value>[] = []
  /** Requests that wait, each once for each of its keys. */
  readonly requests: RequestFacts[] = []
  /** Whether all of them only read. */
  areReading = true
  /** Their spans; undefined for a request that is not traced. */
  readonly spans: (TraceSpan | undefined)[] = []
  /** Explanations of these requests, in which the statements of the batch are recorded. */
  explained: Set<StatementSink> | undefined

  add(key: Key): Promise<Value> {
    const facts = currentFacts()
    this.areReading &&= isReading(facts)
    if (facts) {
      facts.database.begin()
      this.requests.push(facts)
    }
    const sink = currentSink()
    if (sink) {
      this.explained ??= new Set()
      this.explained.add(sink)
    }
    if (tracing) this.spans.push(tracing.current())
    this.keys.push(key)
    const outcome = Promise.withResolvers<Value>()
    this.outcomes.push(outcome)
    return outcome.promise
  }

  /** Reads within the span of the only request; a batch of several requests has a span of its own that links to each. */
  #readTraced(traces: Tracing, read: () => Promise<void>): Promise<void> {
    const [only, ...others] = new Set(this.spans)
    const shares = [only, ...others].map(origin => ({ origin }))
    return others.length === 0
      ? traces.within(only ?? null, read)
      : traces.together('shared look-up', shares, read)
  }

  /** Has all keys read on behalf of these requests. @param readAll settles every outcome. */
  async run(readAll: () => Promise<void>): Promise<void> {
    const { explained, requests } = this
    const readFrom = () => (tracing ? this.#readTraced(tracing, readAll) : readAll())
    const read = this.areReading ? () => asReading(readFrom) : readFrom
    try {
      await (explained ? withSink(sharedSink(explained, new Set(requests).size), read) : read())
    } catch (error) {
      for (const { reject } of this.outcomes) reject(error)
    } finally {
      for (const { database } of requests) database.end()
    }
  }

  settle(index: number, value: Value | Error): void {
    const { resolve, reject } = this.outcomes[index]!
    if (value instanceof Error) reject(value)
    else resolve(value)
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
  const readWhole = async (batch: Batch<Key, Value>): Promise<void> => {
    const values = await readGroup(read, batch.keys)
    for (let index = 0; index < batch.keys.length; index += 1) batch.settle(index, values[index]!)
  }
  const readGroups = async (batch: Batch<Key, Value>, groupFor: (key: Key) => SharedKey): Promise<void> => {
    const groups = Map.groupBy(batch.keys.keys(), index => groupFor(batch.keys[index]!))
    const readOne = async (group: readonly number[]) => {
      const keys = group.map(index => batch.keys[index]!)
      const values = await readGroup(read, keys)
      for (const [at, index] of group.entries()) batch.settle(index, values[at]!)
    }
    await Promise.all(Array.from(groups.values(), readOne))
  }
  let waiting: Batch<Key, Value> | undefined
  const flush = () => {
    const batch = waiting!
    waiting = undefined
    void batch.run(() => (groupOf ? readGroups(batch, groupOf) : readWhole(batch)))
  }
  return key => {
    if (!waiting) {
      waiting = new Batch()
      scheduleRead(flush)
    }
    return waiting.add(key)
  }
}
