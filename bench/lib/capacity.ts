/**
 * From the measured cost of one transaction to processors, disks and money. Reasoned, not measured: it multiplies what one
 * transaction costs, and says where a part of the data outgrows a node.
 */

const TB = 1e12
const DAY_SECONDS = 86_400
const HOUR_SECONDS = 3_600

/** Cost of one transaction to its very end: settled, sent to a webhook, in timeline and sums. */
export const COST = {
  /** Milliseconds of a processor (`bench/sizing.ts`). */
  programMs: 0.38,
  postgresMs: 0.49,
  /** Bytes of the write-ahead log (P15). */
  walBytes: 6_300,
}

/** Rows that a transaction leaves in a schema, with indexes, of full tables (P7, P16). */
export interface Part {
  readonly schema: string
  readonly bytes: number
  /** How long they are kept: with the transaction, or for as long as events or requests. */
  readonly kept: 'transactions' | 'events' | 'requests'
  /** Part of all transactions that leave them. */
  readonly share?: number
}

export const PARTS: readonly Part[] = [
  { schema: 'postpaid', bytes: 832, kept: 'transactions', share: 0.4 },
  { schema: 'prepaid', bytes: 791, kept: 'transactions', share: 0.3 },
  { schema: 'messaging', bytes: 469, kept: 'transactions', share: 0.15 },
  { schema: 'loyalty', bytes: 469, kept: 'transactions', share: 0.1 },
  { schema: 'redemption', bytes: 469, kept: 'transactions', share: 0.05 },
  { schema: 'ledger', bytes: 116, kept: 'transactions' },
  // Entries, and a row of sums for each: the case in which no account has two transactions in a day.
  { schema: 'activity', bytes: 518 + 306, kept: 'transactions' },
  { schema: 'events', bytes: 455 + 479, kept: 'events' },
]

/** The reader's own numbers. */
export interface Assumptions {
  /** Part of a day's transactions in its busiest hour. */
  readonly peakShare: number
  /** How much more the busiest minute has than the average of that hour. */
  readonly burst: number
  /** Part of a processor that is used at that time. */
  readonly use: number
  /** Days that transactions are kept, and events with their deliveries. */
  readonly transactionDays: number
  readonly eventDays: number
  /** Copies of each node: itself, and its standbys. */
  readonly copies: number
  /** Disk for each byte: dead rows, pages that are not full, free space. */
  readonly room: number
  /** Days of write-ahead log that an archive keeps. */
  readonly archiveDays: number
  /** The most that a node is to hold, so that it is copied and restored within a night. */
  readonly nodeTb: number
  /** How much more PostgreSQL works where nodes with Citus share the work. */
  readonly citus: number
  /** Euro a month. */
  readonly vcpuEuro: number
  readonly diskTbEuro: number
  readonly archiveTbEuro: number
}

export const ASSUMED: Assumptions = {
  peakShare: 0.1,
  burst: 2,
  use: 0.5,
  transactionDays: 730,
  eventDays: 730,
  copies: 2,
  room: 1.5,
  archiveDays: 14,
  nodeTb: 8,
  citus: 2,
  vcpuEuro: 25,
  diskTbEuro: 100,
  archiveTbEuro: 20,
}

/** Needs of an installation. */
export interface Needs {
  readonly perDay: number
  /** Transactions a second in the busiest minute. */
  readonly peak: number
  readonly programVcpus: number
  /** Of all nodes, without their standbys. */
  readonly postgresVcpus: number
  /** Terabytes of all nodes, without their standbys and without room. */
  readonly dataTb: number
  readonly archiveTb: number
  readonly walTbADay: number
  /** Nodes, each of which has standbys. */
  readonly nodes: number
  /** Schemas that alone are more than a node is to hold. */
  readonly tooLarge: readonly string[]
  readonly euro: number
}

const LEAST_VCPUS = 2

const daysOf = ({ kept }: Part, { transactionDays, eventDays }: Assumptions): number =>
  kept === 'events' ? eventDays : transactionDays

/** Bytes of a schema, in terabytes. */
export const schemaTb = (part: Part, perDay: number, assumed: Assumptions): number =>
  (perDay * (part.share ?? 1) * part.bytes * daysOf(part, assumed)) / TB

/** Fewest nodes for these schemas, largest first; one that is too large for a node counts as the nodes that it would fill. */
function countNodes(sizes: readonly number[], most: number): number {
  const free: number[] = []
  let full = 0
  for (const size of sizes.toSorted((a, b) => b - a)) {
    full += Math.floor(size / most)
    const rest = size % most
    const found = free.findIndex(left => left >= rest)
    if (found >= 0) free[found] = free[found]! - rest
    else if (rest > 0) free.push(most - rest)
  }
  return full + free.length
}

/** Needs of so many transactions a day. */
export function needsOf(perDay: number, assumed: Assumptions = ASSUMED): Needs {
  const { peakShare, burst, use, copies, room, archiveDays, nodeTb, citus } = assumed
  const peak = (perDay * peakShare * burst) / HOUR_SECONDS
  const sizes = PARTS.map(part => schemaTb(part, perDay, assumed) * room)
  const nodes = Math.max(1, countNodes(sizes, nodeTb))
  const vcpus = (ms: number) => Math.max(LEAST_VCPUS, Math.ceil((peak * ms) / 1_000 / use))
  const programVcpus = vcpus(COST.programMs)
  const postgresVcpus = Math.max(
    vcpus(COST.postgresMs * (nodes > 1 ? citus : 1)),
    nodes > 1 ? nodes * LEAST_VCPUS : 0,
  )
  const dataTb = sizes.reduce((sum, size) => sum + size, 0) / room
  const walTbADay = (perDay * COST.walBytes) / TB
  const archiveTb = walTbADay * archiveDays + dataTb
  const euro =
    (programVcpus + postgresVcpus * copies) * assumed.vcpuEuro +
    dataTb * room * copies * assumed.diskTbEuro +
    archiveTb * assumed.archiveTbEuro
  return {
    ...{ perDay, peak, programVcpus, postgresVcpus, dataTb, archiveTb, walTbADay, nodes, euro },
    tooLarge: PARTS.filter((_, index) => sizes[index]! > nodeTb).map(({ schema }) => schema),
  }
}

/** Transactions a second on average. */
export const averageOf = (perDay: number): number => perDay / DAY_SECONDS

const rounded = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(2)))
const LINES: readonly (readonly [string, (needs: Needs) => string])[] = [
  [
    'a second: average; in the busiest minute',
    ({ perDay, peak }) => `${rounded(averageOf(perDay))}; ${rounded(peak)}`,
  ],
  ['processors of the program', ({ programVcpus }) => rounded(programVcpus)],
  ['processors of PostgreSQL, standbys apart', ({ postgresVcpus }) => rounded(postgresVcpus)],
  ['write-ahead log a day', ({ walTbADay }) => `${rounded(walTbADay * 1_000)} GB`],
  ['data at the end of the time that it is kept', ({ dataTb }) => `${rounded(dataTb)} TB`],
  ['nodes of PostgreSQL, standbys apart', ({ nodes }) => rounded(nodes)],
  ['schemas that outgrow a node', ({ tooLarge }) => tooLarge.join(', ') || 'none'],
  ['euro a month', ({ euro }) => rounded(euro)],
]

/** Table of several installations, one a column. */
export function capacityTable(perDay: readonly number[], assumed: Assumptions = ASSUMED): string {
  const all = perDay.map(count => needsOf(count, assumed))
  const head = ['transactions a day', ...perDay.map(count => count.toLocaleString('en'))]
  const rows = [head, head.map((_, index) => (index === 0 ? '---' : '---:'))]
  for (const [name, text] of LINES) rows.push([name, ...all.map(text)])
  return rows.map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

/** Place of the tables in the page. */
export const KEPT = /(<!-- capacity -->\n)[\s\S]*(<!-- end of capacity -->)/

const VOLUMES = [1e6, 1e7, 1e8]
const SHORT_DAYS = 30

/** Both tables: events kept as long as transactions, and for a month. */
export const capacityText = (): string =>
  [
    `Events and deliveries kept for ${ASSUMED.eventDays} days too:`,
    capacityTable(VOLUMES),
    `The same with \`EVENT_RETENTION_DAYS=${SHORT_DAYS}\`:`,
    capacityTable(VOLUMES, { ...ASSUMED, eventDays: SHORT_DAYS }),
  ].join('\n\n')
