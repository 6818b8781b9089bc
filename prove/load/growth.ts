/** Growth of what a server holds, beyond what it was given to keep: heap, sockets, files and rows of tables. */

/** Figures of one moment, at which nothing is being done. */
export interface Sample {
  /** Minutes since the first. */
  readonly minute: number
  /** Requests that were accepted, and payments among them, since the server started. */
  readonly requests: number
  readonly payments: number
  /** Bytes, once garbage was collected. */
  readonly heap: number
  readonly external: number
  readonly resident: number
  readonly descriptors: number
  /** Resources that keep the event loop going. */
  readonly resources: number
  /** Rows by table, partitions with their parent. */
  readonly rows: Readonly<Record<string, number>>
}

/** A figure that must hold: what was seen, and what is allowed. */
export interface Bound {
  readonly what: string
  readonly seen: string
  readonly allowed: string
  readonly holds: boolean
}

const MIB = 1024 * 1024
/** Caches fill, and a heap is never the same twice. */
const MORE = 1.1
const MORE_BYTES = 8 * MIB
const MORE_DESCRIPTORS = 8
/** Rows for each request may differ so much between the halves of a soak. */
const MORE_ROWS = 1.25
/** Rows that come with time and not with requests, such as leases and sums of an hour. */
const FEW_ROWS = 500

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Medians of the first and of the last third; the first sample is left out, since caches are empty then. */
const thirdsOf = (samples: readonly Sample[], pick: (sample: Sample) => number) => {
  const warm = samples.slice(1)
  const third = Math.max(1, Math.floor(warm.length / 3))
  return [median(warm.slice(0, third).map(pick)), median(warm.slice(-third).map(pick))] as const
}

const bytesBound = (what: string, samples: readonly Sample[], pick: (sample: Sample) => number): Bound => {
  const [early, late] = thirdsOf(samples, pick)
  const limit = Math.max(early * MORE, early + MORE_BYTES)
  const mib = (bytes: number) => `${(bytes / MIB).toFixed(1)} MiB`
  return { what, seen: `${mib(early)}, ${mib(late)}`, allowed: mib(limit), holds: late <= limit }
}

const countBound = (what: string, samples: readonly Sample[], pick: (sample: Sample) => number): Bound => {
  const [early, late] = thirdsOf(samples, pick)
  const limit = early + MORE_DESCRIPTORS
  return { what, seen: `${early}, ${late}`, allowed: String(limit), holds: late <= limit }
}

const rowsBetween = (from: Sample, to: Sample, table: string): number =>
  (to.rows[table] ?? 0) - (from.rows[table] ?? 0)

/** Tables whose rows come faster for each request in the second half than in the first. */
const growingTables = (samples: readonly Sample[]): string[] => {
  const [first, middle, last] = [samples[0]!, samples[Math.floor(samples.length / 2)]!, samples.at(-1)!]
  const times = (last.requests - middle.requests) / (middle.requests - first.requests)
  return Object.keys(last.rows).filter(table => {
    const allowed = rowsBetween(first, middle, table) * times * MORE_ROWS + FEW_ROWS
    return rowsBetween(middle, last, table) > allowed
  })
}

/**
 * Judges a soak by its samples, of which there are at least four.
 * @throws Error where there are fewer.
 */
export function judgeGrowth(samples: readonly Sample[]): Bound[] {
  if (samples.length < 4) throw new Error(`a soak needs at least four samples, not ${samples.length}`)
  const [first, last] = [samples[0]!, samples.at(-1)!]
  const growing = growingTables(samples)
  const kept = rowsBetween(first, last, 'postpaid.payment')
  const posted = last.payments - first.payments
  return [
    bytesBound('heap in the first and the last third', samples, ({ heap }) => heap),
    bytesBound('outside of the heap', samples, ({ external }) => external),
    bytesBound('resident memory', samples, ({ resident }) => resident),
    countBound('open files and sockets', samples, ({ descriptors }) => descriptors),
    countBound('resources of the event loop', samples, ({ resources }) => resources),
    {
      what: 'payments that were acknowledged, and that are there',
      seen: `${posted}, ${kept}`,
      allowed: 'the same',
      holds: posted === kept,
    },
    {
      what: 'tables that grow faster for each request than at first',
      seen: growing.join(', ') || 'none',
      allowed: 'none',
      holds: growing.length === 0,
    },
  ]
}
